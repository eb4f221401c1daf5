import type {
  Axis,
  Histogram,
  JointHistogram,
  JointPrepareOptions,
  PerWeights,
  Weighed,
  WeightedJointHistogram,
} from "@polybin/core";
import type { AxisOptions } from "@polybin/core/backend";
import type { ReadProgress } from "../table/index.ts";
import type { GroupedBy } from "./grouped-by.ts";

/** How far a count has come. */
export interface CountProgress extends ReadProgress {
  /** The current pass, from 1 on. */
  readonly pass: number;
  /** The number of passes. */
  readonly passes: number;
}

/** Names of columns of weights: one, or a list. */
export type WeightNames = string | readonly string[] | null | undefined;

/** The options of the engine's counter, other than its columns. */
export type Choice = Omit<JointPrepareOptions, "columns" | "by" | "weights">;

/**
 * The columns of a count other than those that are counted, by their names.
 * @typeParam W the columns of weights
 * @typeParam B the column of the groups
 */
interface Selected<W extends WeightNames, B extends string | null | undefined> extends Choice {
  /** The column of weights, or a list of such columns. Default: rows are counted. */
  readonly weights?: W;
  /** The column of groups: strings, integers, booleans or times. The result has a histogram for each of its values. */
  readonly by?: B;
  /** The column of booleans or integers that is not 0 in the rows to count. Default: all rows. */
  readonly mask?: string | null | undefined;
  /** Bytes of columns to keep in memory, so that a second pass need not read them again. Default: 256 MiB. */
  readonly keepBytes?: number | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the progress of the current pass. */
  readonly onProgress?: ((progress: CountProgress) => void) | undefined;
}

/** Options of a histogram of a table's column. */
export type ColumnHistogramOptions<
  W extends WeightNames = WeightNames,
  B extends string | null | undefined = string | null | undefined,
> = Selected<W, B> &
  AxisOptions & {
    /** The column to count. Default: the only column of numbers. */
    readonly column?: string | undefined;
  };

/** Options of a joint histogram of a table's columns. */
export type ColumnsJointOptions<
  W extends WeightNames = WeightNames,
  B extends string | null | undefined = string | null | undefined,
> = Selected<W, B> & {
  /** The two to six columns to count together. Default: the only two columns of numbers. */
  readonly columns?: readonly string[] | undefined;
  /** One axis per column, or its `bins` and `range`. Default: the axis that `histogram` would use for each column. */
  readonly axes?: readonly (Axis | AxisOptions)[] | undefined;
};

/** The result of one row of a count: all rows of the table, or one for each group. */
type Row<B, One extends Histogram | JointHistogram | Weighed | WeightedJointHistogram> = [B] extends [never]
  ? One
  : B extends string
    ? GroupedBy<One>
    : One;

/**
 * The result of a count. A name that is not given is `never`, since `undefined` extends every type if a program is compiled
 * without `strict`.
 * @typeParam Plain without weights
 * @typeParam Weighted with weights
 */
export type ResultOf<
  W,
  B,
  Plain extends Histogram | JointHistogram,
  Weighted extends Weighed | WeightedJointHistogram,
> = [W] extends [never]
  ? Row<B, Plain>
  : W extends readonly string[]
    ? PerWeights<W, Row<B, Weighted>>
    : W extends string
      ? Row<B, Weighted>
      : Row<B, Plain>;

const SELECTED: readonly string[] = [
  "weights",
  "by",
  "mask",
  "keepBytes",
  "signal",
  "onProgress",
  "algorithm",
  "precision",
  "squares",
  "timings",
];

/** Names of the options that choose an axis. */
export const AXIS_OPTIONS = ["axis", "bins", "range", "nice"] as const;

/** Names of `ColumnHistogramOptions`. */
export const HISTOGRAM_OPTIONS: readonly string[] = ["column", ...AXIS_OPTIONS, ...SELECTED];

/** Names of `ColumnsJointOptions`. */
export const JOINT_OPTIONS: readonly string[] = ["columns", "axes", ...SELECTED];
