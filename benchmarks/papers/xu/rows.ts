import type { SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";

/** What the paper calls a method. */
const METHODS: Readonly<Record<string, string>> = {
  "weighted-collision-free": "collision-free",
  "weighted-collision": "collision",
  "weighted-collision-reduced": "collision-reduced",
  "weighted-hybrid": "hybrid",
};
export const FIXED_POINT = "fixed point (ours)";

/** Bins of Table 7. */
export const BINS: readonly number[] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/**
 * The rows that stand for the paper's: it adds floats, so those of the precision `fast`, and of a method without any
 * (workers have no float atomics) the integers'.
 */
export function asInPaper(rows: readonly SumsRow[]): SumsRow[] {
  return [...Map.groupBy(rows, ({ algorithm }) => algorithm).values()].flatMap((of) => {
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

/** The same methods with integers, which the paper does not have. */
export function integersOf(rows: readonly SumsRow[], place: (row: SumsRow) => Point["x"] | null): Point[] {
  const also = rows.filter(
    ({ weighted, algorithm }) =>
      weighted.precision === "reproducible" &&
      rows.some((row) => row.algorithm === algorithm && row.weighted.precision === "fast"),
  );
  return pointsOf(also, place).map((point) => ({ ...point, series: `${point.series}, integers (ours)` }));
}

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
