import type { Cells } from "./cells.ts";
import { checkedMasked } from "./combine.ts";
import { cellsOf, OneAxis, oneAxis } from "./one-axis.ts";
import { MEANS } from "./storage/means.ts";
import type { Rows, Storage } from "./storage/storage.ts";
import type { UhiHistogram, UhiMeans } from "./uhi/schema.ts";

/** The content of a flow bin of means. */
export interface MeanBin {
  readonly sum: number;
  readonly sumOfSquares: number | null;
  readonly mean: number;
  readonly variance: number;
}

/**
 * Means of one quantity over the bins of another, in UHI's storages `mean` and `weighted_mean`: the profile of a
 * `WeightedHistogram`, or one of another writer. `Histogram.fromJSON` reads it,
 * and `toJSON` writes it without the cells of NaN, for which the schema has no place.
 */
export class MeanHistogram extends OneAxis<UhiHistogram<UhiMeans>> {
  /** Sums of weights. For the storage `mean` these are counts, which are whole numbers if there were no weights. */
  readonly sums: Float64Array;
  /** Sums of the squares of the weights; null for the storage `mean`, which has none. */
  readonly sumsOfSquares: Float64Array | null;
  /** Mean of the quantity in each bin. */
  readonly means: Float64Array;
  /** Variance of the quantity in each bin, as its writer defines it: polybin divides by the count less one. NaN: undefined. */
  readonly variances: Float64Array;
  /** Numbers of the underflow bin. */
  readonly underflow: MeanBin;
  /** Numbers of the overflow bin. */
  readonly overflow: MeanBin;
  readonly masked: number;

  constructor(cells: Cells) {
    super(cells.axes[0]!, cells.types[0]!, null, cells.carried);
    this.masked = checkedMasked(cells.masked);
    const [sums, squares, means, variances] = oneAxis(cells);
    this.sums = sums!.bins;
    this.sumsOfSquares = squares?.bins ?? null;
    this.means = means!.bins;
    this.variances = variances!.bins;
    const flow = (of: "underflow" | "overflow"): MeanBin => ({
      sum: sums!.flow[of],
      sumOfSquares: squares?.flow[of] ?? null,
      mean: means!.flow[of],
      variance: variances!.flow[of],
    });
    this.underflow = flow("underflow");
    this.overflow = flow("overflow");
  }

  get storage(): Storage {
    return MEANS;
  }
  get rows(): Rows {
    const row = (bins: Float64Array, of: "sum" | "sumOfSquares" | "mean" | "variance") =>
      cellsOf(bins, { underflow: this.underflow[of]!, overflow: this.overflow[of]!, nan: 0 });
    return [
      row(this.sums, "sum"),
      this.sumsOfSquares && row(this.sumsOfSquares, "sumOfSquares"),
      row(this.means, "mean"),
      row(this.variances, "variance"),
    ];
  }
  protected get content(): Float64Array {
    return this.sums;
  }
}
