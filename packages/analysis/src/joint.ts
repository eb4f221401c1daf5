import { countsOf, sumOf } from "./cells.ts";
import { AnalysisError, checkedWhole, checkOptions, expected } from "./error.ts";
import { entropyOf } from "./moments.ts";

/** Counts over two axes: core's joint histogram, with or without weights, or any object with these properties. */
export interface JointCounts {
  /** shape[0] x shape[1] numbers of at least 0, row by row. Samples outside the bins are not among them. */
  readonly counts: ArrayLike<number> | null;
  /** The same with sums of weights. If it is given, it takes the place of `counts`. */
  readonly sums?: ArrayLike<number>;
  /** The number of bins of each axis. */
  readonly shape: readonly number[];
}

/** Options of `mutualInformation`. */
export interface InformationOptions {
  /** The base of the logarithm. Base 2 gives bits. Default: e. */
  readonly base?: number;
}

/** Options of `correlationRatio`. */
export interface RatioOptions {
  /** The axis, 0 or 1, whose values the bins of the other one explain. Default: 1. */
  readonly of?: number;
  /** One value per bin of that axis, such as its centers. Default: 0, 1, 2 …, which fits bins of equal width. */
  readonly values?: ArrayLike<number>;
}

interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly counts: Float64Array;
}

/**
 * Returns the mutual information H(x) + H(y) - H(x, y) of two columns from their joint counts:
 * `sklearn.metrics.mutual_info_score(None, None, contingency=counts)`. Samples outside the bins take no part. The result is
 * NaN without samples.
 *
 * Source: P. Viola, W. M. Wells, "Alignment by maximization of mutual information", International Journal of Computer
 * Vision 24 (2), 1997.
 * @throws ERR_INPUT for invalid counts or base. ERR_AXIS unless there are two axes.
 */
export function mutualInformation(joint: JointCounts, options: InformationOptions = {}): number {
  checkOptions(options, ["base"]);
  const { base = Math.E } = options;
  if (typeof base !== "number" || !(base > 1) || base === Infinity) {
    throw expected("ERR_INPUT", "base", "a finite base above 1", base);
  }
  const { rows, columns, counts } = matrixOf(joint);
  const [inRows, inColumns] = marginsOf({ rows, columns, counts });
  const total = sumOf(counts, (count) => count);
  if (total === 0) return Number.NaN;
  const sum = sumOf(counts, (count, i) => {
    const expectation = (inRows[Math.floor(i / columns)]! / total) * inColumns[i % columns]!;
    return count === 0 ? 0 : (count / total) * Math.log(count / expectation);
  });
  return Math.max(sum, 0) / (base === Math.E ? 1 : Math.log(base));
}

/**
 * Returns the normalized mutual information (H(x) + H(y)) / H(x, y), from 1 for independent columns to 2 for columns that
 * determine each other: scikit-image's `normalized_mutual_information` over the same bins. If both columns lie in one bin
 * each, the result is NaN, and so it is without samples.
 *
 * Source: C. Studholme, D. L. G. Hill, D. J. Hawkes, "An overlap invariant entropy measure of 3D medical image alignment",
 * Pattern Recognition 32 (1), 1999.
 * @throws ERR_INPUT for invalid counts. ERR_AXIS unless there are two axes.
 */
export function normalizedMutualInformation(joint: JointCounts): number {
  const matrix = matrixOf(joint);
  const [inRows, inColumns] = marginsOf(matrix);
  return (entropyOf(inRows) + entropyOf(inColumns)) / entropyOf(matrix.counts);
}

/**
 * Returns the correlation ratio η², from 0 to 1: the part of the variance of one column that the bins of the other column
 * explain. It is 1 minus the mean variance within these bins over the variance of all, with the bins' values for the
 * samples. It is not symmetric. If the column does not vary, or without samples, the result is NaN.
 *
 * Source: A. Roche, G. Malandain, X. Pennec, N. Ayache, "The correlation ratio as a new similarity measure for multimodal
 * image registration", MICCAI 1998.
 * @throws ERR_INPUT for invalid counts or options. ERR_AXIS unless there are two axes.
 */
export function correlationRatio(joint: JointCounts, options: RatioOptions = {}): number {
  checkOptions(options, ["of", "values"]);
  const of = checkedWhole(options.of ?? 1, "of", 0, 1);
  const { rows, columns, counts } = matrixOf(joint);
  const [groups, bins] = of === 1 ? [rows, columns] : [columns, rows];
  const values = valuesOf(options.values, bins);
  const countOf = (group: number, bin: number): number =>
    of === 1 ? counts[group * columns + bin]! : counts[bin * columns + group]!;
  let within = 0;
  const all = new Float64Array(bins);
  for (let group = 0; group < groups; group++) {
    const row = values.map((_, bin) => countOf(group, bin));
    within += squares(row, values);
    for (let bin = 0; bin < bins; bin++) all[bin]! += row[bin]!;
  }
  const total = squares(all, values);
  return total > 0 ? Math.max(1 - within / total, 0) : Number.NaN;
}

/** The sum of squares around the mean. */
function squares(counts: Float64Array, values: Float64Array): number {
  const total = sumOf(counts, (count) => count);
  if (total === 0) return 0;
  const center = sumOf(counts, (count, i) => count * values[i]!) / total;
  return sumOf(counts, (count, i) => count * (values[i]! - center) ** 2);
}

function valuesOf(values: ArrayLike<number> | undefined, bins: number): Float64Array {
  if (values === undefined) return Float64Array.from({ length: bins }, (_, i) => i);
  if (values?.length !== bins) throw expected("ERR_INPUT", "values", `${bins} numbers`, values);
  return Float64Array.from(values, (value, i) => {
    if (Number.isFinite(value)) return value;
    throw expected("ERR_INPUT", `values[${i}]`, "a finite number", value);
  });
}

function marginsOf({ rows, columns, counts }: Matrix): [Float64Array, Float64Array] {
  const [inRows, inColumns] = [new Float64Array(rows), new Float64Array(columns)];
  for (let i = 0; i < counts.length; i++) {
    inRows[Math.floor(i / columns)]! += counts[i]!;
    inColumns[i % columns]! += counts[i]!;
  }
  return [inRows, inColumns];
}

function matrixOf(joint: JointCounts): Matrix {
  const { counts, sums, shape } = (joint ?? {}) as JointCounts;
  const cells = sums ?? counts;
  if (!Array.isArray(shape) || shape.length !== 2) {
    throw expected(
      "ERR_AXIS",
      "joint.shape",
      "the bins of two axes (project other histograms to two)",
      shape,
    );
  }
  const [rows, columns] = shape.map((bins, i) => checkedWhole(bins, `joint.shape[${i}]`, 1)) as [
    number,
    number,
  ];
  if (cells?.length !== rows * columns) {
    throw new AnalysisError(
      "ERR_INPUT",
      `expected ${rows} x ${columns} numbers for joint.counts but received ${cells?.length ?? "none"}`,
    );
  }
  return { rows, columns, counts: countsOf(joint, "joint") };
}
