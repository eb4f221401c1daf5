import type { Row } from "../../src/runner/row.ts";
import { median } from "../../src/runner/statistics.ts";
import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure } from "../model.ts";
import { because, digits, orderOfPlaces, ratioWithin, rule, scaling } from "../readings/index.ts";
import { CPU_NOTE, documentsOf, loops, VALUE_BYTES } from "./cpu.ts";

const [paper, id] = ["xu", "table-4"] as const;
/** Threads of the machine with a GPU. */
const THREADS = [1, 2, 4, 8, 16];
const SIZES = [0.5, 1, 2];
const CPU = "CPU, Table 4 (here: JavaScript)";
const TEXT = "CPU, text of 5.3";
const POOL = "a pool of workers (ours)";

/** The paper's two factors of a size over bytes: that of Table 4, and that of the text next to it. */
function bothOf(size: number): { readonly low: number; readonly high: number } {
  const numbers = numbersOf(paper, id, "documents");
  const factors = [CPU, TEXT].map((series) => {
    const at = (x: number) => numbers.find((number) => number.series === series && number.x === x)!.y;
    return at(size) / at(1);
  });
  return { low: Math.min(...factors), high: Math.max(...factors) };
}

/** The part of a call that more threads do not shorten, by the times of one thread and of the most. */
function serialPart(measured: Measured): string | null {
  const calls = loops(measured).filter(({ backend, type }) => backend === "piscina" && type === "u8");
  const [one, most] = [calls.find(({ threads }) => threads === 1), calls.toSorted(byThreads).at(-1)];
  const threads = most?.threads ?? 1;
  if (one === undefined || most === undefined || threads === 1) return null;
  const [alone, together] = [one, most].map(({ ms }) => median(ms)) as [number, number];
  const serial = (threads * together - alone) / (threads - 1);
  return `A call takes ${digits(alone)} ms with one thread and ${digits(together)} ms with ${threads}. So ${digits(serial)} ms of it do not become shorter with more threads (computed from both times). What takes them is not measured.`;
}

const byThreads = (a: Row, b: Row): number => (a.threads ?? 1) - (b.threads ?? 1);

export const table4: Figure = {
  paper,
  id,
  title: "Table 4: one thread of a CPU",
  source: "5.3 and Table 4",
  lost: null,
  needs: "cpu",
  command: "run bench papers-cpu --backend piscina",
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
      id: "bytes",
      title: "GB/s of values by bytes per value",
      mark: "bar",
      x: { label: "bytes per value", scale: "category" },
      y: { label: "GB/s", scale: "linear" },
      paper: numbersOf(paper, id, "bytes"),
      wanted: SIZES.map((x) => ({ series: CPU, x })),
      ours: (measured) => [...documentsOf(measured)].map(([x, y]) => ({ series: CPU, x, y: x * y })),
    },
    {
      id: "threads",
      title: "The pool by threads, bytes",
      mark: "line",
      x: { label: "threads", scale: "linear" },
      y: { label: "10^9 documents per second", scale: "linear" },
      paper: [],
      wanted: THREADS.map((x) => ({ series: POOL, x })),
      ours: (measured) =>
        loops(measured)
          .filter(({ backend, type }) => backend === "piscina" && type === "u8")
          .map(({ threads, valuesPerSecond }) => ({ series: POOL, x: threads!, y: valuesPerSecond! / 1e9 })),
    },
  ],
  rules: [
    ...(
      [
        ["Half bytes over bytes", 0.5],
        ["Two bytes over bytes", 2],
      ] as const
    ).map(([claim, x]) =>
      rule(
        "documents",
        claim,
        "5.3",
        ratioWithin({ series: CPU, x }, { series: CPU, x: 1 }),
        bothOf(x),
        "Table 4, and the text of 5.3",
      ),
    ),
    rule("bytes", "GB/s by bytes per value, the highest first", "Table 4", orderOfPlaces(CPU)),
    because(rule("threads", "Throughput is linear in threads", "5.3", scaling(POOL, 0.9), 1), serialPart),
  ],
  notes: [
    CPU_NOTE,
    "Table 4 and the text next to it contradict each other: by the table half bytes are slower than bytes, and by the text they are faster. Both are shown. A rule agrees if ours lies between them.",
  ],
};
