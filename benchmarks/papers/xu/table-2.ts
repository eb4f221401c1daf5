import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { peakOf, readOf } from "../page/hardware.ts";
import { level, rule } from "../readings/index.ts";
import { COUNTERS_COMMAND, deviceOf } from "./counters.ts";

const [paper, id] = ["xu", "table-2"] as const;
const [DEVICE, SHARE] = ["device", "test kernel, % of the bandwidth"] as const;
const [PEAK, READ] = ["memory bandwidth, GB/s", "test kernel, GB/s"] as const;
const numbers = numbersOf(paper, id, "device");
const KILOBYTE = 1024;

function device(measured: Measured): Point[] {
  const of = deviceOf(measured);
  const values: Record<string, number | null | undefined> = {
    multiprocessors: of?.multiprocessors,
    [PEAK]: peakOf(measured),
    "shared memory per multiprocessor, kB": of?.sharedBytes == null ? null : of.sharedBytes / KILOBYTE,
    "threads per multiprocessor": of?.threads,
    [READ]: readOf(measured),
  };
  return withShare(Object.entries(values).flatMap(([x, y]) => (y == null ? [] : [{ series: DEVICE, x, y }])));
}

/** Adds the share of the bandwidth that the test kernel reaches. */
function withShare(points: readonly Point[]): Point[] {
  const [peak, read] = [PEAK, READ].map((name) => points.find(({ x }) => x === name)?.y);
  if (peak === undefined || read === undefined) return [...points];
  return [...points, { series: DEVICE, x: SHARE, y: (read / peak) * 100 }];
}

export const table2: Figure = {
  paper,
  id,
  title: "Table 2: the device",
  source: "5.1 and Table 2",
  lost: null,
  needs: "gpu",
  command: COUNTERS_COMMAND,
  panels: [
    {
      id: "device",
      title: "Properties of the device",
      mark: "none",
      x: { label: "property", scale: "category" },
      y: { label: "", scale: "linear" },
      paper: [
        ...numbers,
        ...withShare(numbers)
          .slice(numbers.length)
          .map((point) => ({ ...point, where: "142 / 192" })),
      ],
      wanted: numbers.map(({ series, x }) => ({ series, x })),
      ours: device,
    },
  ],
  rules: [
    rule(
      "device",
      "A simple kernel's share of the bandwidth",
      "5.1",
      level({ series: DEVICE, x: SHARE }, "%"),
    ),
  ],
  notes: [
    "The bandwidth is that of the data sheet. The paper's test kernel copies memory, and ours only reads it.",
    "The table also has 32 cores per multiprocessor and 1 GB of memory, which no kernel of polybin depends on.",
  ],
};
