/** UHI's serialization schema, version 1 (scikit-hep/uhi). */

/** Allowed values of metadata. */
export type UhiScalar = string | number | boolean;
export type UhiRecord = Readonly<Record<string, UhiScalar>>;

/** A serialized histogram with one axis. Each array of its storage holds underflow, the bins, overflow. */
export interface UhiHistogram<S extends AnyStorage = UhiCounts> {
  readonly uhi_schema: 1;
  readonly metadata?: UhiRecord;
  /** Notes of the writers. The key `polybin` holds data that the schema has no place for. */
  readonly writer_info: { readonly polybin: UhiRecord; readonly [writer: string]: UhiRecord };
  readonly axes: readonly [UhiAxis];
  readonly storage: S;
}

/** A serialized histogram of several axes. Its arrays are nested, one level per axis. */
export interface UhiJointHistogram<S extends AnyStorage = UhiCounts<UhiNested>>
  extends Omit<UhiHistogram<S>, "axes"> {
  readonly axes: readonly UhiAxis[];
}

export type AnyUhi = UhiHistogram<AnyStorage> | UhiJointHistogram<AnyStorage>;

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

/** Exact counts. */
export interface UhiCounts<N = readonly number[]> {
  readonly type: "int";
  readonly values: N;
}

/** Sums of weights. */
export interface UhiSums<N = readonly number[]> {
  readonly type: "double";
  readonly values: N;
}

/** Sums of weights, and of their squares, which are the variances of the sums. */
export interface UhiWeightedSums<N = readonly number[]> {
  readonly type: "weighted";
  readonly values: N;
  readonly variances: N;
}

/** Means of a quantity. Null: not defined; Python's JSON writes NaN there. */
export type UhiMeans<N = readonly number[], M = readonly (number | null)[]> = {
  readonly values: M;
  readonly variances: M;
} & (
  | { readonly type: "mean"; readonly counts: N }
  | { readonly type: "weighted_mean"; readonly sum_of_weights: N; readonly sum_of_weights_squared: N }
);

/** A storage over one axis. */
export type UhiStorage = UhiCounts | UhiSums | UhiWeightedSums | UhiMeans;

/** A storage over any number of axes. */
export type AnyStorage =
  | UhiCounts<UhiNested>
  | UhiSums<UhiNested>
  | UhiWeightedSums<UhiNested>
  | UhiMeans<UhiNested, UhiNested<number | null>>;

/** Content of a file other than the axis and the numbers. Polybin does not use it, and `toJSON` writes it again. */
export interface Carried {
  readonly metadata: UhiRecord;
  /** Notes of other writers. */
  readonly writers: Readonly<Record<string, UhiRecord>>;
  /** Keys that the schema does not know. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** The content of the histogram and of each of its axes. */
export interface CarriedByAxes {
  readonly histogram: Carried;
  readonly axes: readonly Carried[];
}

const NOTHING: Carried = Object.freeze({
  metadata: Object.freeze({}),
  writers: Object.freeze({}),
  others: Object.freeze({}),
});

/** The content of a result that was not read from a file. */
export function nothingCarried(axes: number): CarriedByAxes {
  return { histogram: NOTHING, axes: Array.from({ length: axes }, () => NOTHING) };
}
