import type { ColumnInfo } from "@polybin/columns/page";

/** The type of a column, as its table states it. */
export type Logical = ColumnInfo["type"];

/** A column of a table, and why it cannot be counted if it cannot. */
export interface Listed {
  readonly name: string;
  readonly type: Logical;
  readonly problem: string | null;
}

/** How to count a column. */
export interface Wanted {
  readonly column: string;
  /** A number, the name of a rule, or the choice of the command: a bin for each of a few whole values, else the library's default. */
  readonly bins: number | "auto" | "fd" | "scott" | "sturges";
  /** Default: from the lowest to the highest finite value. */
  readonly range: readonly [number, number] | null;
}

/** Counts of numbers and times over bins. Times are in the unit that their column stores. */
export interface BinCounts {
  readonly kind: "bins";
  readonly column: string;
  readonly type: Logical;
  /** Whether each bin is one whole value. */
  readonly isEach: boolean;
  readonly nulls: number;
  readonly counts: Float64Array;
  readonly edges: Float64Array;
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
  /** Of the finite values; null if there are none. */
  readonly stats: Stats | null;
  readonly ms: number;
  readonly algorithm: string;
}

export interface Stats {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly quantiles: readonly number[];
}

/** Counts of different strings, or of false and true. */
export interface ValueCounts {
  readonly kind: "values";
  readonly column: string;
  readonly type: Logical;
  readonly nulls: number;
  /** Rows with a value. */
  readonly rows: number;
  /** Number of different values. */
  readonly distinct: number;
  /** The most frequent ones first. Booleans have both, false first. */
  readonly top: readonly (readonly [text: string, count: number])[];
  readonly ms: number;
}

export type Counts = BinCounts | ValueCounts;

/** The columns of a table that was opened. */
export interface Opened {
  readonly format: string;
  readonly rows: number | null;
  readonly columns: readonly Listed[];
}

export type ToColumnWorker = { readonly open: Blob; readonly name: string } | { readonly count: Wanted };
export type FromColumnWorker = Opened | Counts | { readonly error: string };
