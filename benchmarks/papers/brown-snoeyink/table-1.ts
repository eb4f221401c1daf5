import type { Terms } from "../../src/suites/table1-terms.ts";
import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { order, ratio, rule } from "../readings/index.ts";
import { methodOf, THEIRS } from "./rows.ts";

const [paper, id] = ["brown-snoeyink", "table-1"] as const;
const numbers = numbersOf(paper, id, "counters");
/** Counters that fit one axis, because no method's is 0. */
const COMPARED: readonly string[] = [
  "Throughput GB/s",
  "Resident threads",
  "Ins/Byte",
  "IPC",
  "II",
  "Cycles II/IPC",
];
/** Threads per warp, and warps per multiprocessor of compute capability 9.0. */
const WARP = 32;
const MOST_WARPS = 64;
const TERMS = [...new Set(numbers.map(({ x }) => String(x)))];

/** A row of the suite's note. */
interface Counted {
  readonly algorithm: string;
  readonly k?: number;
  readonly collisions?: string;
  readonly distribution: string;
  readonly terms: Terms;
}

function counters(measured: Measured): Point[] {
  const table = (measured.note("table1", "Table 1") ?? []) as readonly Counted[];
  return table
    .filter(({ distribution }) => distribution === "uniform")
    .flatMap(({ algorithm, k, collisions, terms }) => {
      const series = methodOf({ algorithm, variant: k === undefined ? (collisions ?? "") : `k=${k}` });
      if (series === null) return [];
      // The paper's column counts resident threads. ncu reports a share of the 64 warps that fit.
      const warps = terms["Occupancy, at most %"]?.value;
      const values: Record<string, number | null | undefined> = {
        ...Object.fromEntries(TERMS.map((term) => [term, terms[term]?.value])),
        "Resident threads": warps == null ? null : Math.round((warps / 100) * MOST_WARPS) * WARP,
      };
      return TERMS.flatMap((x) => (values[x] == null ? [] : [{ series, x, y: values[x] }]));
    });
}

/** Divides each counter by TRISH's, so that all fit one axis. */
const overTrish = (points: readonly Point[]): Point[] =>
  points.flatMap((point) => {
    const base = points.find(({ series, x }) => series === "TRISH" && x === point.x)?.y;
    return base ? [{ ...point, y: point.y / base }] : [];
  });

const panel = (name: string, title: string, of: (points: readonly Point[]) => readonly Point[]): Panel => ({
  id: name,
  title,
  mark: "bar",
  x: { label: "", scale: "category" },
  y: { label: "relative to TRISH", scale: "log" },
  paper: of(numbers).map((point) => ({ ...point, where: "6.3" })),
  wanted: [],
  ours: (measured) => of(counters(measured)),
});

export const table1: Figure = {
  paper,
  id,
  title: "Table 1: the profiler's counters",
  source: "6.3 and Table 1",
  lost: null,
  needs: "gpu",
  command: "run table1",
  panels: [
    {
      ...panel("counters", "Counters of the longest kernel, 64 MiB of uniform bytes", (points) => points),
      mark: "none",
      wanted: THEIRS.flatMap((series) => TERMS.map((x) => ({ series, x }))),
    },
    panel("relative", "Throughput, occupancy, instructions and cycles relative to TRISH", (points) =>
      overTrish(points.filter(({ x }) => COMPARED.includes(String(x)))),
    ),
  ],
  rules: [
    ...[
      "Throughput GB/s",
      "IPC",
      "II",
      "Ins/Byte",
      "Resident threads",
      "Cycles II/IPC",
      "Bank Conflicts",
    ].map((term) => rule("counters", `${term}, by method`, "Table 1", order(THEIRS, term))),
    rule(
      "counters",
      "Podlozhnyuk's method issues more instructions than TRISH",
      "6.3",
      ratio({ series: "Podlozhnyuk", x: "II" }, { series: "TRISH", x: "II" }),
    ),
    rule(
      "counters",
      "Nugteren's method retires fewer instructions per cycle than TRISH",
      "6.3",
      ratio({ series: "Nugteren", x: "IPC" }, { series: "TRISH", x: "IPC" }),
    ),
  ],
  notes: [
    "The paper's column of times (6,545.41 ns for TRISH) fits neither its throughput nor its n, and is left out.",
    "The paper's II is a quarter of the value that follows from its Ins/Byte and n. Both appear as printed.",
  ],
};
