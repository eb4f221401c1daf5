import type { Axis } from "@polybin/core";
import { type LogicalType, sampleTypeOf } from "../../table/index.ts";
import type { MomentKind } from "../exact/moments.ts";
import type { ValueKind } from "../values/keys.ts";

/** The plan of one pass over a column. It is plain JSON. */
export interface ColumnPlan {
  readonly name: string;
  readonly logical: LogicalType;
  /** Whether to add up counts, extent and moments. */
  readonly moments: boolean;
  /** The most different values to count exactly, or null to count none. */
  readonly distinctLimit: number | null;
  /** The bins to count over, or null. */
  readonly axis: Axis | null;
  /** Bins of the axis for each bin of the result. */
  readonly joined: number;
  /**
   * Whether each bin holds one integer and no value should lie outside. The counts of the bins then give moments and
   * different values, too, and nothing else is added up.
   */
  readonly whole: boolean;
  /** The frequent values to count exactly, or null. */
  readonly heavy: HeavyPlan | null;
}

/** Cells of a table of counts by hash, the fullest first, whose values are counted: at most `limit` different ones. */
export interface HeavyPlan {
  readonly cells: readonly number[];
  readonly limit: number;
}

/** Two columns to count together, and their axes. */
export interface JointPlan {
  readonly columns: readonly [string, string];
  readonly axes: readonly [Axis, Axis];
}

/** Columns of numbers whose pairs are counted, and columns whose shared nulls are. */
export interface PairsPlan {
  readonly columns: readonly { readonly name: string; readonly axis: Axis }[];
  readonly nullable: readonly string[];
}

/** Units of the bins of a time column. */
export const OVER_UNITS = [
  "ns",
  "us",
  "ms",
  "second",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "year",
] as const;

/** The width of bins: "every 15 minutes". The unit of plain numbers is null. */
export interface OverStep {
  readonly every: number;
  readonly unit: (typeof OVER_UNITS)[number] | null;
}

/** Columns of numbers that are averaged in each bin of another column, which is a time or a number. */
export interface OverPlan {
  readonly column: string;
  readonly axis: Axis;
  readonly step: OverStep;
  readonly columns: readonly string[];
}

/** The rows of a sample: those whose hashes, from 0 to 1, are below a bound. */
export interface SamplePlan {
  readonly seed: number;
  readonly below: number;
}

/** The plan of one pass over tables. Machines that share a plan can merge what they counted. */
export interface PassPlan {
  readonly columns: readonly ColumnPlan[];
  readonly joint: readonly JointPlan[];
  /** Null: no pairs are counted. */
  readonly pairs: PairsPlan | null;
  /** Null: no columns are averaged. */
  readonly over: OverPlan | null;
  /** Null: all rows are counted. */
  readonly sample: SamplePlan | null;
  /** The most different rows to count exactly, or null to count none. */
  readonly rowLimit: number | null;
}

/** The columns that a pass reads with their rows, whose values belong together. */
export function namesWithRows({
  joint,
  pairs,
  over,
}: Pick<PassPlan, "joint" | "pairs" | "over">): ReadonlySet<string> {
  return new Set([
    ...joint.flatMap(({ columns }) => columns),
    ...(pairs === null ? [] : [...pairs.columns.map(({ name }) => name), ...pairs.nullable]),
    ...(over === null ? [] : [over.column, ...over.columns]),
  ]);
}

/** How the moments of a column are added up; null for strings. */
export function momentKindOf(logical: LogicalType): MomentKind | null {
  const type = sampleTypeOf(logical);
  if (type === null) return null;
  if (type === "i64") return "signed";
  if (type === "u64") return "unsigned";
  return type.startsWith("f") ? "float" : "narrow";
}

/** How polybin distinguishes the values of a column. */
export function valueKindOf(logical: LogicalType): ValueKind {
  const kind = momentKindOf(logical);
  if (kind === null) return "text";
  return kind === "signed" || kind === "unsigned" ? kind : "double";
}
