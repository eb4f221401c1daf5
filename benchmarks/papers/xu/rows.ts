import { documentsPerFetchOf } from "@polybin/core/backend";
import { SWEPT } from "../../src/suites/weighted-paper.ts";
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

/** The paper's name of a row's method, or ours. */
export function nameOf({ algorithm, weighted }: SumsRow): string {
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

/** Returns the fastest row for each number of bins at which all values of the parameters were measured. */
export function fastestByBins(rows: readonly SumsRow[]): SumsRow[] {
  return [...Map.groupBy(rows, ({ bins }) => bins).values()]
    .filter(isWhole)
    .map((group) => group.reduce((top, row) => (row.gbps > top.gbps ? row : top)));
}

type FeatureType = Parameters<typeof documentsPerFetchOf>[0]["type"];
type Swept = Partial<Record<"unroll" | "warps" | "buffer", readonly number[]>>;

/**
 * Whether rows have every value of each swept parameter. The best of a few would pass for the best of all. The kernels as
 * published have sweeps of their own.
 */
function isWhole(rows: readonly SumsRow[]): boolean {
  const [{ algorithm, backend }] = rows as [SumsRow];
  const swept: Swept = backend === null ? {} : ((SWEPT as Partial<Record<string, Swept>>)[algorithm!] ?? {});
  return (Object.keys(swept) as (keyof Swept)[]).every((name) =>
    swept[name]!.every((value) => rows.some((row) => row.weighted[name] === planned(row, name, value))),
  );
}

/** The value of a parameter in a row's plan: a kernel that fetches words rounds documents up to whole words. */
function planned({ type, weighted: { fetch } }: SumsRow, name: keyof Swept, value: number): number {
  if (name === "warps") return value;
  const each = documentsPerFetchOf({ type: type as FeatureType, parameters: { ...(fetch && { fetch }) } });
  return Math.ceil(value / each) * each;
}

export const byBins = ({ bins }: SumsRow): number => bins;

/** Bytes per value by bins: the paper's Table 3. */
export const bytesFor = (bins: number): number => (bins <= 16 ? 0.5 : bins <= 256 ? 1 : 2);
