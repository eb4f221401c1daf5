/** UHI's serialization schema, version 1 (scikit-hep/uhi). */

/** Allowed values of metadata. */
export type UhiScalar = string | number | boolean;
export type UhiRecord = Readonly<Record<string, UhiScalar>>;

/** A serialized histogram. */
export interface UhiHistogram<S extends UhiStorage = UhiCounts> {
  readonly uhi_schema: 1;
  readonly metadata?: UhiRecord;
  /** Notes of the writers. The key `polybin` holds data that the schema has no place for. */
  readonly writer_info: { readonly polybin: UhiRecord; readonly [writer: string]: UhiRecord };
  readonly axes: readonly [UhiAxis];
  readonly storage: S;
}

/** A serialized histogram of several axes. Its arrays are nested, one level per axis. */
export interface UhiJointHistogram<S extends UhiJointStorage = UhiJointCounts> {
  readonly uhi_schema: 1;
  readonly metadata?: UhiRecord;
  readonly writer_info: { readonly polybin: UhiRecord; readonly [writer: string]: UhiRecord };
  readonly axes: readonly UhiAxis[];
  readonly storage: S;
}

/** An axis of a serialized histogram. */
export type UhiAxis = UhiAxisShape & {
  readonly metadata?: UhiRecord;
  readonly writer_info?: Readonly<Record<string, UhiRecord>>;
};

/** The axis without notes. Ordered axes of results with one axis have both flow bins. */
export type UhiAxisShape =
  | (UhiEnds & {
      readonly type: "regular";
      readonly lower: number;
      readonly upper: number;
      readonly bins: number;
    })
  | (UhiEnds & { readonly type: "variable"; readonly edges: readonly number[] })
  | { readonly type: "category_int"; readonly categories: readonly number[]; readonly flow: boolean }
  | { readonly type: "category_str"; readonly categories: readonly string[]; readonly flow: boolean }
  | { readonly type: "boolean" };

/** Which flow bins the arrays have along an axis of intervals. */
interface UhiEnds {
  readonly underflow: boolean;
  readonly overflow: boolean;
  readonly circular: boolean;
}

/** Numbers nested one level per axis. */
export type UhiNested<T = number> = readonly (T | UhiNested<T>)[];

/** The storage of several axes. */
export type UhiJointStorage = UhiJointCounts | UhiJointSums | UhiJointWeightedSums | UhiJointMeans;

/** Exact counts. */
export interface UhiJointCounts {
  readonly type: "int";
  readonly values: UhiNested;
}

/** Sums of weights. */
export interface UhiJointSums {
  readonly type: "double";
  readonly values: UhiNested;
}

/** Sums of weights, and of their squares, which are the variances of the sums. */
export interface UhiJointWeightedSums {
  readonly type: "weighted";
  readonly values: UhiNested;
  readonly variances: UhiNested;
}

/** Means of a quantity. Null: not defined. */
export type UhiJointMeans = {
  readonly values: UhiNested<number | null>;
  readonly variances: UhiNested<number | null>;
} & (
  | { readonly type: "mean"; readonly counts: UhiNested }
  | {
      readonly type: "weighted_mean";
      readonly sum_of_weights: UhiNested;
      readonly sum_of_weights_squared: UhiNested;
    }
);

/** The storage of a serialized histogram. Each array holds underflow, the bins, overflow. */
export type UhiStorage = UhiCounts | UhiSums | UhiWeightedSums | UhiMeans;

/** Exact counts. */
export interface UhiCounts {
  readonly type: "int";
  readonly values: readonly number[];
}

/** Sums of weights. */
export interface UhiSums {
  readonly type: "double";
  readonly values: readonly number[];
}

/** Sums of weights, and of their squares, which are the variances of the sums. */
export interface UhiWeightedSums {
  readonly type: "weighted";
  readonly values: readonly number[];
  readonly variances: readonly number[];
}

/** Means of a quantity in each bin. Null: not defined; Python's JSON writes NaN there. */
export type UhiMeans = {
  readonly values: readonly (number | null)[];
  readonly variances: readonly (number | null)[];
} & (
  | { readonly type: "mean"; readonly counts: readonly number[] }
  | {
      readonly type: "weighted_mean";
      readonly sum_of_weights: readonly number[];
      readonly sum_of_weights_squared: readonly number[];
    }
);

/** Content of a file other than the axis and the numbers. Polybin does not use it, and `toJSON` writes it again. */
export interface Carried {
  readonly metadata: UhiRecord;
  /** Notes of other writers. */
  readonly writers: Readonly<Record<string, UhiRecord>>;
  /** Keys that the schema does not know. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** The content of the histogram and of its axis. */
export interface CarriedPair {
  readonly histogram: Carried;
  readonly axis: Carried;
}

const NOTHING: Carried = Object.freeze({
  metadata: Object.freeze({}),
  writers: Object.freeze({}),
  others: Object.freeze({}),
});
export const NOTHING_CARRIED: CarriedPair = Object.freeze({ histogram: NOTHING, axis: NOTHING });
