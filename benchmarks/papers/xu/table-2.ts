import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { PaperNumber, Point } from "../model.ts";
import { peakOf, readOf } from "../page/hardware.ts";
import { deviceOf } from "./counters.ts";

const [DEVICE, SHARE] = ["device", "test kernel, % of the bandwidth"] as const;
const [PEAK, READ] = ["memory bandwidth, GB/s", "test kernel, GB/s"] as const;
const KILOBYTE = 1024;

/** Properties of the device from ncu and from its data sheet. */
export function device(measured: Measured): Point[] {
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

/** The paper's properties of its device, with the share that follows from two of them. */
export function deviceWithShare(): PaperNumber[] {
  const numbers = numbersOf("xu", "table-2", "device");
  const [share] = withShare(numbers).slice(numbers.length);
  return [...numbers, { ...share!, where: "142 / 192" }];
}
