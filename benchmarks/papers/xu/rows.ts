import type { SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";

const HYBRID = "weighted-hybrid";
/** What the paper calls a method. */
const METHODS: Readonly<Record<string, string>> = {
  "weighted-collision-free": "collision-free",
  "weighted-collision": "collision",
  "weighted-collision-reduced": "collision-reduced",
  [HYBRID]: "hybrid",
};
export const FIXED_POINT = "fixed point (ours)";

/** Bins of Table 7. */
export const BINS: readonly number[] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/**
 * The rows that stand for the paper's: it adds floats, so those of the precision `fast`, and of a method without any
 * (workers have no float atomics) the integers'. None of the hybrid's, which `integersOf` has.
 */
export function asInPaper(rows: readonly SumsRow[]): SumsRow[] {
  const single = rows.filter(({ algorithm }) => algorithm !== HYBRID);
  return [...Map.groupBy(single, ({ algorithm }) => algorithm).values()].flatMap((of) => {
    const fast = of.filter(({ weighted }) => weighted.precision === "fast");
    return fast.length > 0 ? fast : of;
  });
}

/** Throughput in GB/s of feature values by some place; null leaves a row out. */
export function pointsOf(rows: readonly SumsRow[], place: (row: SumsRow) => Point["x"] | null): Point[] {
  return rows.flatMap((row) => {
    const [series, x] = [nameOf(row), place(row)];
    return x === null ? [] : [{ series, x, y: row.gbps }];
  });
}

function nameOf({ algorithm, weighted }: SumsRow): string {
  if (algorithm === "weighted-fixed-point") return FIXED_POINT;
  return METHODS[algorithm!]! + (weighted.skip ? ", zeros skipped" : "");
}

/** Behind a method's name where it adds integers and the paper's adds floats. */
export const INTEGERS = ", integers (ours)";

/** Rows that add integers and skip nothing. */
export function ofIntegers(rows: readonly SumsRow[]): SumsRow[] {
  return rows.filter(({ weighted: { precision, skip } }) => precision === "reproducible" && !skip);
}

/** The methods with integers; they are named so where the paper's floats are there as well, and in the hybrid. */
export function integersOf(rows: readonly SumsRow[], place: (row: SumsRow) => Point["x"] | null): Point[] {
  const floats = new Set(
    rows.filter(({ weighted }) => weighted.precision === "fast").map(({ algorithm }) => algorithm),
  );
  return ofIntegers(rows).flatMap((row) => {
    const behind = row.algorithm === HYBRID || floats.has(row.algorithm) ? INTEGERS : "";
    return pointsOf([row], place).map((point) => ({ ...point, series: point.series + behind }));
  });
}

/** Why the hybrid's other rows do not stand. */
export const HYBRID_NOTE =
  "Of the hybrid only rows that add integers and skip nothing stand here, beside the other methods' with integers: it chose its methods so in these runs, and rows with floats or with zeros skipped may have kept that choice instead of their own.";

/** The fastest row of each number of bins. */
export function fastestByBins(rows: readonly SumsRow[]): SumsRow[] {
  return [...Map.groupBy(rows, ({ bins }) => bins).values()].map((group) =>
    group.reduce((top, row) => (row.gbps > top.gbps ? row : top)),
  );
}

export const byBins = ({ bins }: SumsRow): number => bins;

/** Which features stand for the paper's, which are not public. */
export const OUR_FEATURES =
  "The paper's features come from a search engine and are not public. Ours are 80% zeros and the rest uniform, all features alike.";

export const SHAPE =
  "The paper has 1,000 features and 100,000 documents; ours, but for what a figure goes through, 1,024 and 131,072 on a GPU and 16 and 16,384 on workers.";
