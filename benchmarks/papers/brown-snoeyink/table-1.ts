import { median } from "../../src/runner/statistics.ts";
import {
  atomicsAreInstructions,
  type Counted,
  countersOf,
  firstOf,
  mainStalls,
  moreInstructions,
  moreWarps,
  total,
} from "../causes.ts";
import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { because, digits, factor, order, ratio, rule } from "../readings/index.ts";
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
/** The paper's columns of ratios, and the counters that they compare. */
const RATIOS = [
  { x: "Throughput Perf Ratio", of: "Throughput GB/s", isSpeed: true },
  { x: "Cycles Perf Ratio", of: "Cycles II/IPC", isSpeed: false },
] as const;
const MEASURED = TERMS.filter((term) => !RATIOS.some(({ x }) => x === term));

/** Terms that add up over the kernels of a histogram. The others describe the kernel that counts. */
const ADDED: readonly string[] = [
  ...["Ins/Byte", "II", "Bank Conflicts", "Cycles II/IPC", "Branches", "Divergent Branches"],
];
const TIME = "Time (ns)";

/** Returns a method's value of one of the paper's terms. */
function counterOf(row: Counted, term: string): number | null {
  if (term === "Throughput GB/s") {
    const time = total(row, TIME);
    return time === null ? null : row.n / time;
  }
  if (term === "Resident threads") {
    // The paper's column counts resident threads. ncu reports a share of the 64 warps that fit.
    const share = row.terms["Occupancy, at most %"]?.value;
    return share == null ? null : Math.round((share / 100) * MOST_WARPS) * WARP;
  }
  return ADDED.includes(term) ? total(row, term) : (row.terms[term]?.value ?? null);
}

function counters(measured: Measured): Point[] {
  return countersOf(measured)
    .filter(({ distribution }) => distribution === "uniform")
    .flatMap((row) => {
      const { algorithm, k, collisions } = row;
      const series = methodOf({ algorithm, variant: k === undefined ? (collisions ?? "") : `k=${k}` });
      if (series === null) return [];
      return MEASURED.flatMap((x) => {
        const y = counterOf(row, x);
        return y === null ? [] : [{ series, x, y }];
      });
    });
}

/** TRISH's value divided by each method's, or the reverse, which the paper prints as columns of their own. */
const ratioPoints = (points: readonly Point[]): Point[] =>
  RATIOS.flatMap(({ x, of, isSpeed }) =>
    points.flatMap((point) => {
      const base = points.find(({ series, x: term }) => series === "TRISH" && term === of)?.y;
      if (point.x !== of || !base) return [];
      return [{ series: point.series, x, y: isSpeed ? base / point.y : point.y / base }];
    }),
  );

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

const all = (points: readonly Point[]): readonly Point[] => [...points, ...ratioPoints(points)];

/** The paper's times, which fit 268,435,456 bytes. */
const N = 2 ** 28;
const times: Panel = {
  id: "times",
  title: "Time for 268,435,456 uniform bytes",
  mark: "bar",
  x: { label: "bytes", scale: "category" },
  y: { label: "µs", scale: "log" },
  paper: numbersOf(paper, id, "times"),
  wanted: THEIRS.map((series) => ({ series, x: N })),
  command: "run bench figure6",
  ours: (measured) =>
    measured.rows("figure6").flatMap((row) => {
      const series = methodOf(row);
      const is = row.n === N && row.distribution === "uniform";
      return is && series !== null ? [{ series, x: N, y: median(row.ms) * 1000 }] : [];
    }),
};

/** Finds the cause of another order of the methods. */
function causeOf(term: string): (measured: Measured) => string | null {
  if (term === "Bank Conflicts") return (measured) => conflictsOf(countersOf(measured));
  if (term === "IPC") return mainStalls(["per-warp", "trish"], ["Podlozhnyuk's method", "TRISH"]);
  return firstOf(
    moreInstructions("per-thread", "trish", ["Nugteren's method", "TRISH"]),
    atomicsAreInstructions,
  );
}

/** Names the kind of access in which the methods without atomics have their bank conflicts. */
function conflictsOf(table: readonly Counted[]): string | null {
  const parts = ["trish", "per-thread"].map((slug) => {
    const row = table.find(({ algorithm, distribution }) => algorithm === slug && distribution === "uniform");
    const [loads, stores] = ["loads", "stores"].map((kind) => row?.terms[`Bank Conflicts, ${kind}`]?.value);
    const waves = row?.terms["Shared memory wavefronts"]?.value;
    return loads == null || stores == null || !waves
      ? null
      : { loads, stores, share: (loads + stores) / waves };
  });
  const [trish, nugteren] = parts;
  if (!trish || !nugteren) return null;
  const text = ({ loads, stores, share }: typeof trish) =>
    `${digits(stores)} in stores and ${digits(loads)} in loads, ${digits(share * 100)}% of its accesses`;
  return `ncu counts TRISH's conflicts as ${text(trish)}, and those of Nugteren's method as ${text(nugteren)}.`;
}

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
      ...panel("counters", "Counters of all kernels, 64 MiB of uniform bytes", (points) => points),
      mark: "none",
      ours: (measured) => all(counters(measured)),
      wanted: THEIRS.flatMap((series) => TERMS.map((x) => ({ series, x }))),
    },
    panel("relative", "Throughput, occupancy, instructions and cycles relative to TRISH", (points) =>
      overTrish(points.filter(({ x }) => COMPARED.includes(String(x)))),
    ),
    times,
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
    ].map((term) =>
      because(rule("counters", `${term}, by method`, "Table 1", order(THEIRS, term)), causeOf(term)),
    ),
    ...RATIOS.flatMap(({ x }) =>
      THEIRS.slice(1).map((series) =>
        because(
          rule("counters", `${x} of ${series}'s method`, "Table 1", factor({ series, x })),
          series === "Nugteren" ? moreWarps : atomicsAreInstructions,
        ),
      ),
    ),
    rule("times", "Time for 268,435,456 bytes, by method", "Table 1", order(THEIRS, N)),
    because(
      rule(
        "counters",
        "Podlozhnyuk's method issues more instructions than TRISH",
        "6.3",
        ratio({ series: "Podlozhnyuk", x: "II" }, { series: "TRISH", x: "II" }),
      ),
      atomicsAreInstructions,
    ),
    because(
      rule(
        "counters",
        "Nugteren's method retires fewer instructions per cycle than TRISH",
        "6.3",
        ratio({ series: "Nugteren", x: "IPC" }, { series: "TRISH", x: "IPC" }),
      ),
      mainStalls(["trish", "per-thread"], ["TRISH", "Nugteren's method"]),
    ),
  ],
  notes: [
    "Time, throughput and everything that adds up are sums over all kernels of a histogram, BlockSum included. The rest describes the kernel that counts.",
    "The paper prints times in nanoseconds, and states n = 67,108,864. Its times fit microseconds and n = 268,435,456: TRISH then reaches 41 GB/s. Its II fits one of 16 multiprocessors at this n, because it is 11.71 instructions per byte x 268,435,456 bytes / 32 threads / 16. Ours are for all multiprocessors and n = 67,108,864.",
  ],
};
