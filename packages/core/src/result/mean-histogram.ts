import type { Axis } from "../axis/index.ts";
import type { SampleType } from "../input/index.ts";
import { Binned } from "./binned.ts";
import type { Reading } from "./uhi/read.ts";
import type { CarriedPair, UhiHistogram, UhiMeans } from "./uhi/schema.ts";
import { alongAxis, finite, writeRow } from "./uhi/write.ts";

/** The content of a flow bin of means. */
export interface MeanBin {
  readonly sum: number;
  readonly sumOfSquares: number | null;
  readonly mean: number;
  readonly variance: number;
}

/** The numbers of means. Each row holds underflow, the bins, overflow. */
interface MeanRows {
  readonly sums: Float64Array;
  readonly sumsOfSquares: Float64Array | null;
  readonly means: Float64Array;
  readonly variances: Float64Array;
}

/**
 * Means of one quantity over the bins of another: profiles of other writers, in UHI's storages `mean` and
 * `weighted_mean`. No engine creates one. `Histogram.fromJSON` reads it, and `toJSON` writes it again.
 */
export class MeanHistogram extends Binned {
  /** Sums of weights. For the storage `mean` these are counts, which are whole numbers if there were no weights. */
  readonly sums: Float64Array;
  /** Sums of the squares of the weights; null for the storage `mean`, which has none. */
  readonly sumsOfSquares: Float64Array | null;
  /** Mean of the quantity in each bin. */
  readonly means: Float64Array;
  /** Variance of the quantity in each bin, as its writer defines it; NaN if it is not defined. */
  readonly variances: Float64Array;
  /** Numbers of the underflow bin. */
  readonly underflow: MeanBin;
  /** Numbers of the overflow bin. */
  readonly overflow: MeanBin;

  constructor(axis: Axis, type: SampleType, rows: MeanRows, carried: CarriedPair) {
    const bins = (row: Float64Array) => row.slice(1, -1);
    const sums = bins(rows.sums);
    super(axis, type, sums, null, carried);
    this.sums = sums;
    this.sumsOfSquares = rows.sumsOfSquares && bins(rows.sumsOfSquares);
    this.means = bins(rows.means);
    this.variances = bins(rows.variances);
    const flow = (cell: number): MeanBin => ({
      sum: rows.sums[cell]!,
      sumOfSquares: rows.sumsOfSquares && rows.sumsOfSquares[cell]!,
      mean: rows.means[cell]!,
      variance: rows.variances[cell]!,
    });
    this.underflow = flow(0);
    this.overflow = flow(axis.bins + 1);
  }

  protected override get outside(): readonly number[] {
    return [this.underflow.sum, this.overflow.sum];
  }

  /**
   * Writes UHI's schema, as it was read. @throws ERR_UNSUPPORTED for an infinite number, which JSON cannot represent.
   */
  toJSON(): UhiHistogram<UhiMeans> {
    const { underflow, overflow } = this;
    const flow = (of: "sum" | "mean" | "variance") => ({ underflow: underflow[of], overflow: overflow[of] });
    const sums = writeRow(this.axis, "sums", this.sums, flow("sum"));
    const values = orNull("means", alongAxis(this.axis, this.means, flow("mean")));
    const variances = orNull("variances", alongAxis(this.axis, this.variances, flow("variance")));
    if (this.sumsOfSquares === null) {
      return this.written<UhiMeans>({ type: "mean", counts: sums, values, variances }, {});
    }
    const sum_of_weights_squared = writeRow(this.axis, "sumsOfSquares", this.sumsOfSquares, {
      underflow: underflow.sumOfSquares!,
      overflow: overflow.sumOfSquares!,
    });
    return this.written<UhiMeans>(
      { type: "weighted_mean", sum_of_weights: sums, sum_of_weights_squared, values, variances },
      {},
    );
  }
}

/** Creates a MeanHistogram from one of the two storages of means. */
export function meansOf({ axis, samples, rows, carried }: Reading): MeanHistogram {
  const { counts, sum_of_weights, sum_of_weights_squared, values, variances } = rows;
  const numbers = {
    sums: (counts ?? sum_of_weights)!,
    sumsOfSquares: sum_of_weights_squared ?? null,
    means: values!,
    variances: variances!,
  };
  return new MeanHistogram(axis, samples, numbers, carried);
}

/** JSON has no NaN, so null represents it. */
function orNull(name: string, values: readonly number[]): (number | null)[] {
  return values.map((value) => (Number.isNaN(value) ? null : finite(name, value)));
}
