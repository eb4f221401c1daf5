/** One bin per integer: bin i holds start + i <= x < start + i + 1. */
export interface IntegerAxis {
  readonly type: "integer";
  /** Number of bins, stop - start. */
  readonly bins: number;
  /** The first integer counted. */
  readonly start: number;
  /** The first integer after the last bin. */
  readonly stop: number;
  /** bins + 1 ascending numbers. JSON leaves them out. */
  readonly edges: readonly number[];
}

/** Bins of equal width over [lo, hi]. The last bin includes `hi`, unless it is open. */
export interface RegularAxis {
  readonly type: "regular";
  /** Number of bins. */
  readonly bins: number;
  /** The first edge. */
  readonly lo: number;
  /** The last edge. */
  readonly hi: number;
  /** False: the last bin is open, so that `hi` overflows. Absent: the last bin includes `hi`. */
  readonly closed?: false;
  /**
   * The precision in which the edges are spaced. NumPy uses the precision of the range's own scalars: f64 for a range
   * that the user gives, f32 for one found in f32 samples.
   */
  readonly spacing: "f64" | "f32";
  /** bins + 1 ascending numbers. Samples of f32 compare with these edges rounded to f32. JSON leaves them out. */
  readonly edges: readonly number[];
}

/** Bins between ascending edges. The last bin includes its right edge, unless it is open. */
export interface VariableAxis {
  readonly type: "variable";
  /** Number of bins, edges.length - 1. */
  readonly bins: number;
  /** bins + 1 ascending edges. The first may be -Infinity and the last Infinity. */
  readonly edges: readonly number[];
  /** False: the last bin is open, so that the last edge overflows. Absent: the last bin includes its right edge. */
  readonly closed?: false;
}

/** One bin per listed value. */
export interface CategoryAxis {
  readonly type: "category";
  /** Number of bins, values.length. */
  readonly bins: number;
  /** The value of each bin: integers, or the strings of a dictionary whose codes 0, 1, … are the samples. */
  readonly values: readonly number[] | readonly string[];
  /** The code of the first string, in a slice of an axis: its strings keep their codes. Absent: 0. */
  readonly firstCode?: number;
  /** 0, 1, …, bins. The bins have no width of their own. JSON leaves them out. */
  readonly edges: readonly number[];
}

/** Bin 0 holds zeros, and bin 1 all other numbers. */
export interface BooleanAxis {
  readonly type: "boolean";
  readonly bins: 2;
  /** 0, 1, …, bins. The bins have no width of their own. JSON leaves them out. */
  readonly edges: readonly number[];
}

/** Bins of equal width around a circle. Values that differ by a multiple of hi - lo share a bin. */
export interface CircularAxis {
  readonly type: "circular";
  /** Number of bins. */
  readonly bins: number;
  /** The first edge. */
  readonly lo: number;
  /** The end of the first turn, which is the first edge again. */
  readonly hi: number;
  /** bins + 1 ascending numbers. JSON leaves them out. */
  readonly edges: readonly number[];
}

/** An axis whose bins are ascending intervals. Devices count over these only. */
export type OrderedAxis = IntegerAxis | RegularAxis | VariableAxis;

/**
 * Defines the bins that values are counted into. Create one with `integer`, `regular`, `variable`, `quantiles`, `log`,
 * `power`, `category`, `boolean` or `circular`.
 */
export type Axis = OrderedAxis | CategoryAxis | BooleanAxis | CircularAxis;

/** Options of `regular` and `variable`. */
export interface AxisEnd {
  /** Whether the last bin includes its right edge, as in NumPy. Default: true. */
  readonly closed?: boolean | undefined;
}
