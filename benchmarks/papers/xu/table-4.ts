import { numbersOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { ratio, rule, scaling } from "../readings/index.ts";
import { CPU_NOTE, documentsOf, loops, VALUE_BYTES } from "./cpu.ts";

const [paper, id] = ["xu", "table-4"] as const;
const SIZES = [0.5, 1, 2];
const CPU = "CPU, Table 4 (here: JavaScript)";
const POOL = "a pool of workers (ours)";

export const table4: Figure = {
  paper,
  id,
  title: "Table 4: one thread of a CPU",
  source: "5.3 and Table 4",
  lost: null,
  needs: "cpu",
  command: "npm start -- papers",
  panels: [
    {
      id: "documents",
      title: "10^9 documents per second by bytes per value",
      mark: "bar",
      x: { label: "bytes per value", scale: "category" },
      y: { label: "10^9 documents per second", scale: "linear" },
      paper: numbersOf(paper, id, "documents"),
      wanted: SIZES.map((x) => ({ series: CPU, x })),
      ours: (measured) => [
        ...[...documentsOf(measured)].map(([x, y]) => ({ series: CPU, x, y })),
        ...loops(measured)
          .filter(({ backend, threads }) => backend === "piscina" && threads === 1)
          .map(({ type, valuesPerSecond }) => ({
            series: "one worker (ours)",
            x: VALUE_BYTES[type]!,
            y: valuesPerSecond! / 1e9,
          })),
      ],
    },
    {
      id: "threads",
      title: "The pool by threads, bytes",
      mark: "line",
      x: { label: "threads", scale: "linear" },
      y: { label: "10^9 documents per second", scale: "linear" },
      paper: [],
      wanted: [1, 2].map((x) => ({ series: POOL, x })),
      ours: (measured) =>
        loops(measured)
          .filter(({ backend, type }) => backend === "piscina" && type === "u8")
          .map(({ threads, valuesPerSecond }) => ({ series: POOL, x: threads!, y: valuesPerSecond! / 1e9 })),
    },
  ],
  rules: [
    rule(
      "documents",
      "Half bytes over bytes",
      "Table 4",
      ratio({ series: CPU, x: 0.5 }, { series: CPU, x: 1 }),
    ),
    rule("documents", "Two bytes over bytes", "Table 4", ratio({ series: CPU, x: 2 }, { series: CPU, x: 1 })),
    rule("threads", "Throughput is linear in threads", "5.3", scaling(POOL, 0.9), 1),
  ],
  notes: [
    CPU_NOTE,
    "Table 4 and the text next to it give different numbers. Both are shown here, and the rules use the table.",
  ],
};
