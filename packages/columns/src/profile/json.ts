import type { LogicalType } from "../table/index.ts";
import type { OverStep } from "./partial/plan.ts";

/**
 * A number of a column, in the column's own unit: a JSON number, or the decimal digits of an integer that a double does
 * not hold exactly. Timestamps, dates, times and decimals are their stored integers.
 */
export type Scalar = number | string;

/** A profile of tables as JSON. NaN and infinities do not occur in it. */
export interface ProfileJson {
  readonly version: 1;
  readonly files: readonly FileJson[];
  /** The rows of all files, or those of the sample. */
  readonly rows: number;
  /** Only with the option `sample`: everything else is that of the sample. */
  readonly sample?: SampleJson;
  readonly columns: readonly ColumnJson[];
  readonly joint: readonly JointJson[];
  /** Only with the option `duplicates`. */
  readonly duplicates?: DuplicatesJson;
  /** Only with the option `correlations`, and if at least two columns have numbers. */
  readonly correlations?: CorrelationsJson;
  /** Only with the option `correlations`, and if at least two columns have nulls. */
  readonly missing?: MissingJson;
  /** Only with the option `over`. */
  readonly over?: OverJson;
  /** The backend and the device that counted the histograms. */
  readonly backend: string;
  readonly device: string;
  /** How often the files were read. */
  readonly passes: number;
  readonly timings: TimingsJson;
}

/**
 * A random sample of rows. Means, quantiles, and counts as shares of the rows estimate those of the tables. The smallest and
 * the largest value, the number of different values and duplicates do not.
 */
export interface SampleJson {
  /** The rows of the tables. */
  readonly of: number;
  readonly seed: number;
}

/** Rows that equal an earlier row in all columns that can be read. Nulls are equal, and so are NaN. */
export interface DuplicatesJson {
  /** These rows. Null beyond 1,048,576 different rows. */
  readonly rows: number | null;
  /** Different rows, by hashes of 64 bits. */
  readonly distinct: DistinctJson;
  /** How often the most frequent row occurs. Null if `rows` is. */
  readonly most: number | null;
}

/**
 * Correlations of all pairs of columns of numbers, times and booleans, over the rows in which both values are finite. The
 * matrices are symmetric. Null: a column does not vary in these rows.
 */
export interface CorrelationsJson {
  readonly columns: readonly string[];
  /** The rows of each pair. */
  readonly rows: readonly (readonly (number | null)[])[];
  /** Pearson's correlation, from exact sums. */
  readonly pearson: readonly (readonly (number | null)[])[];
  /** Spearman's rank correlation. Values in one of at most 66 bins are ties. */
  readonly spearman: readonly (readonly (number | null)[])[];
  /** The mutual information of the same bins, in nats. */
  readonly mutualInformation: readonly (readonly (number | null)[])[];
}

/** Rows in which two columns are both null. A column and itself have its nulls. */
export interface MissingJson {
  readonly columns: readonly string[];
  readonly both: readonly (readonly number[])[];
}

/** Columns of numbers in each bin of another column. */
export interface OverJson {
  readonly column: string;
  /** The width of the bins, such as every 15 minutes. The unit is null for plain numbers. Weeks begin on Monday. */
  readonly step: OverStep;
  /** In the unit of the column, one more than there are bins. A bin holds its first edge. */
  readonly edges: readonly number[];
  /** Rows by bin. */
  readonly rows: readonly number[];
  /** Rows with a finite value outside of the range that `ranges` gives. */
  readonly outside: number;
  /** Rows without a finite value. */
  readonly nulls: number;
  readonly columns: readonly OverColumnJson[];
}

/** A column by the bins of another one. Its booleans are 0 and 1. */
export interface OverColumnJson {
  readonly name: string;
  /** Finite values. */
  readonly values: readonly number[];
  readonly nulls: readonly number[];
  /** The mean of the finite values, rounded once from exact sums. Null in a bin without any. */
  readonly mean: readonly (number | null)[];
  readonly min: readonly (Scalar | null)[];
  readonly max: readonly (Scalar | null)[];
}

export interface FileJson {
  readonly name: string;
  readonly format: string;
  /** Those of the sample, if there is one. */
  readonly rows: number;
  /** Bytes of the file's parts, without its header and metadata. Null for a stream. */
  readonly bytes: number | null;
}

export interface TimingsJson {
  readonly totalMs: number;
  /** The time of each pass over the files. */
  readonly passMs: readonly number[];
}

export interface ColumnJson {
  readonly name: string;
  /** The type in words, such as "f64", "timestamp[us, UTC]" or "decimal(12, 2)". */
  readonly type: string;
  readonly logical: LogicalType;
  /** The unit of the stored integers, such as "us since 1970-01-01" or "0.01"; null for plain numbers. */
  readonly unit: string | null;
  /** Rows of the files that have the column. The values are those rows without the nulls. */
  readonly rows: number;
  /** Null if the column cannot be read and the files do not state the number. */
  readonly nulls: number | null;
  readonly nan: number;
  readonly infinite: { readonly negative: number; readonly positive: number };
  /** Different values. Null if nobody asked. NaN is no value, and -0 is 0. */
  readonly distinct: DistinctJson | null;
  /** The smallest and the largest finite value; for strings, in the order of their UTF-16 code units. */
  readonly min: Scalar | null;
  readonly max: Scalar | null;
  /** Mean and population standard deviation of the finite values, each rounded once from exact sums. */
  readonly mean: number | null;
  readonly stddev: number | null;
  /** Lengths of strings in UTF-16 code units. */
  readonly lengths?: LengthsJson;
  /**
   * The most frequent patterns of strings: A for upper-case letters, a for others, 9 for digits. The 64 first code units
   * count. Missing if there are more than 1,000.
   */
  readonly patterns?: readonly PatternJson[];
  /** Timestamps and dates by the calendar, in UTC. */
  readonly calendar?: CalendarJson;
  readonly quantiles: readonly QuantileJson[];
  readonly histogram: HistogramJson | null;
  /** A histogram of the middle 98% of the values, if the whole range is much wider. */
  readonly core?: HistogramJson;
  /** The most frequent values, the most frequent first. */
  readonly top: readonly TopJson[];
  /** Whether these are certainly the most frequent values. */
  readonly topExact: boolean;
  /** No value that is not listed occurs more often. Null if nobody counted values. */
  readonly topBound: number | null;
}

export interface LengthsJson {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
  /** Strings of each length from 0 on. If there are 256 entries, the last one has all longer ones, too. */
  readonly counts: readonly number[];
}

export interface PatternJson {
  readonly pattern: string;
  readonly count: number;
}

export interface CalendarJson {
  /** From Monday on. */
  readonly weekdays: readonly number[];
  /** From January on. */
  readonly months: readonly number[];
  /** From midnight on. Missing for dates. */
  readonly hours?: readonly number[];
}

/** A number of different values: exact, or an estimate by HyperLogLog. */
export type DistinctJson =
  | { readonly value: number; readonly exact: true }
  | {
      readonly value: number;
      readonly exact: false;
      /** There are certainly this many. */
      readonly atLeast: number;
      /** The standard error of `value`, as a share of it. */
      readonly standardError: number;
    };

/**
 * The quantile is certainly not below `low` and not above `high`. An infinite bound is null. An estimate has no more digits
 * than its bounds support, and is an integer if the values are stored as integers.
 */
export interface QuantileJson {
  readonly p: number;
  /** Whether `value` is certainly the quantile. Otherwise it is an estimate between the bounds. */
  readonly exact: boolean;
  readonly value: Scalar | null;
  readonly low: Scalar | null;
  readonly high: Scalar | null;
}

export interface HistogramJson {
  /** The type of core's axis: "regular", "integer" or "boolean". */
  readonly type: string;
  /** One more than there are counts. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
}

export interface TopJson {
  readonly value: Scalar | boolean;
  readonly count: number;
  /** Whether `value` is only the start of a long string. */
  readonly clipped?: true;
}

export interface JointJson {
  readonly columns: readonly [string, string];
  readonly axes: readonly [JointAxisJson, JointAxisJson];
  readonly shape: readonly [number, number];
  /** Row-major: the bins of the second column are the fastest. */
  readonly counts: readonly number[];
  /** Rows with a value outside the bins of either column. */
  readonly outside: number;
  /** Rows in which either value is null. */
  readonly nulls: number;
}

export interface JointAxisJson {
  readonly type: string;
  readonly edges: readonly number[];
}
