import type { ProfileJson, TopJson } from "../profile/index.ts";

/** The differences between two profiles, as JSON. */
export interface ComparisonJson {
  readonly version: 1;
  /** The two profiles. If `compare` made them, columns with one name and type have the same bins in both. */
  readonly a: ProfileJson;
  readonly b: ProfileJson;
  /** The columns of `a`, then those that only `b` has. */
  readonly columns: readonly ColumnChangeJson[];
}

export interface ColumnChangeJson {
  readonly name: string;
  /** The index of the column in the columns of `a`. Null if only `b` has it. */
  readonly a: number | null;
  readonly b: number | null;
  /** How far the values moved. Null if a side has no values, or the types differ and are not both numbers. */
  readonly distance: DistanceJson | null;
  /** Values of `b` that `a` does not have. Null unless all values of both sides are known. */
  readonly gained: ValueSetJson | null;
  /** Values of `a` that `b` does not have. */
  readonly lost: ValueSetJson | null;
}

/** A distance between two distributions, from 0 for equal ones to 1 for distributions without a common value. */
export interface DistanceJson {
  /**
   * For numbers and times, the Kolmogorov-Smirnov distance: the largest difference between the shares of values below any
   * number. For text and booleans, the total variation: half the sum of the differences of the values' shares.
   */
  readonly method: "kolmogorov-smirnov" | "total-variation";
  /** The basis of the comparison: all values, the bins of both histograms, or the most frequent values and the sum of the rest. */
  readonly over: "values" | "bins" | "frequent values";
  /** The distance of what was compared. */
  readonly value: number;
  /** The distance of the values is certainly not below `low` and not above `high`. */
  readonly low: number;
  readonly high: number;
  /** The Jensen-Shannon distance with base 2, from 0 to 1. Null if the bins differ. */
  readonly jensenShannon: number | null;
  /** The Wasserstein distance in the unit of the column: how far values moved on average. Null for text, and with infinities. */
  readonly wasserstein: number | null;
}

/** Values that only one side has. */
export interface ValueSetJson {
  readonly distinct: number;
  /** The rows of these values. */
  readonly rows: number;
  /** The most frequent ones. */
  readonly top: readonly TopJson[];
}
