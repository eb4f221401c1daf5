import type { Axis } from "../axis/index.ts";
import type { SampleType } from "../input/index.ts";
import type { Cells } from "./cells.ts";
import { cellsOf, OneAxis, oneAxis, type Row } from "./one-axis.ts";
import { MEANS } from "./storage/means.ts";
import type { Rows, Storage } from "./storage/storage.ts";
import type { CarriedByAxes, UhiHistogram, UhiMeans } from "./uhi/schema.ts";

/** The content of a flow bin of means. */
export interface MeanBin {
  readonly sum: number;
  readonly sumOfSquares: number | null;
  readonly mean: number;
  readonly variance: number;
}

/**
 * Means of one quantity over the bins of another: profiles of other writers, in UHI's storages `mean` and
 * `weighted_mean`. No engine creates one. `Histogram.fromJSON` reads it, and `toJSON` writes it again.
 */
export class MeanHistogram extends OneAxis<UhiHistogram<UhiMeans>> {
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
  readonly masked = 0;

  constructor(axis: Axis, type: SampleType, rows: readonly (Row | null)[], carried: CarriedByAxes | null) {
    super(axis, type, null, carried);
    const [sums, squares, means, variances] = rows;
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

  /** @internal */
  static of(cells: Cells): MeanHistogram {
    return new MeanHistogram(cells.axes[0]!, cells.types[0]!, oneAxis(cells), cells.carried);
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
