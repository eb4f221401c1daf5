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
 * of integers for a method without such rows (workers have no float atomics). `integersOf` has the hybrid's rows.
 */
export function asInPaper(rows: readonly SumsRow[]): SumsRow[] {
  const single = rows.filter(({ algorithm }) => algorithm !== HYBRID);
  return [...Map.groupBy(single, ({ algorithm }) => algorithm).values()].flatMap((of) => {
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

/** Returns the methods with integers. Their names say so if rows with floats exist, and for the hybrid. */
export function integersOf(rows: readonly SumsRow[], place: (row: SumsRow) => Point["x"] | null): Point[] {
  const floats = new Set(
    rows.filter(({ weighted }) => weighted.precision === "fast").map(({ algorithm }) => algorithm),
  );
  return ofIntegers(rows).flatMap((row) => {
    const behind = row.algorithm === HYBRID || floats.has(row.algorithm) ? INTEGERS : "";
    return pointsOf([row], place).map((point) => ({ ...point, series: point.series + behind }));
  });
}

/** Explains which rows of the hybrid are shown. */
export const HYBRID_NOTE =
  "The hybrid's rows are those that add integers and skip nothing, next to the other methods with integers. The hybrid chose its methods in such calls in these runs. Its rows with floats or with skipped zeros may have kept that choice instead of making their own.";

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
