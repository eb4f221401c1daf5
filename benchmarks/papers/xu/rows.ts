import type { SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";

const HYBRID = "weighted-hybrid";
/** The paper's names of the methods. */
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
 * Returns the rows that correspond to the paper's. The paper adds floats, so these are rows of the precision `fast`, or
 * of integers for a method without such rows (workers have no float atomics).
 */
export function asInPaper(rows: readonly SumsRow[]): SumsRow[] {
  return [...Map.groupBy(rows, ({ algorithm }) => algorithm).values()].flatMap((of) => {
    const fast = of.filter(({ weighted }) => weighted.precision === "fast");
    return fast.length > 0 ? fast : of;
  });
}

/** Returns throughput in GB/s of feature values by place. A place of null leaves a row out. */
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

/** Follows a method's name if it adds integers and the paper's adds floats. */
export const INTEGERS = ", integers (ours)";

/** Returns rows that add integers and skip nothing. */
export function ofIntegers(rows: readonly SumsRow[]): SumsRow[] {
  return rows.filter(({ weighted: { precision, skip } }) => precision === "reproducible" && !skip);
}

/** Returns the methods with integers, next to those with floats. */
export function integersOf(rows: readonly SumsRow[], place: (row: SumsRow) => Point["x"] | null): Point[] {
  const floats = new Set(
    rows.filter(({ weighted }) => weighted.precision === "fast").map(({ algorithm }) => algorithm),
  );
  // Without floats the integers already stand for the paper's rows.
  const beside = ofIntegers(rows).filter(({ algorithm }) => floats.has(algorithm));
  return pointsOf(beside, place).map((point) => ({ ...point, series: point.series + INTEGERS }));
}

/** Explains which rows of the hybrid are shown. */
export const HYBRID_NOTE =
  "The hybrid adds floats as the paper's does, or integers if no row with floats exists. Until 21 November 2026 it chose its methods in calls with integers that skipped nothing, so older rows of other calls are left out.";

/** Returns the fastest row for each number of bins. */
export function fastestByBins(rows: readonly SumsRow[]): SumsRow[] {
  return [...Map.groupBy(rows, ({ bins }) => bins).values()].map((group) =>
    group.reduce((top, row) => (row.gbps > top.gbps ? row : top)),
  );
}

export const byBins = ({ bins }: SumsRow): number => bins;

/** Describes the features that replace the paper's, which are not public. */
export const OUR_FEATURES =
  "The paper's features come from a search engine and are not public. Ours are 80% zeros and otherwise uniform, and all features are alike.";

export const SHAPE =
  "The paper has 1,000 features and 100,000 documents. Ours has 1,024 and 131,072 on a GPU, and 16 and 16,384 on workers, except for the quantity that a figure varies.";
