import type { Cells } from "./cells.ts";
import type { FlowName } from "./grid.ts";
import type { MeanBin } from "./mean-histogram.ts";
import { SeveralAxes } from "./several-axes.ts";
import type { UhiJointHistogram, UhiMeans, UhiNested } from "./uhi/schema.ts";

/** The numbers of means. Each array has one number per cell, row-major, flow included. */
export interface MeanCells {
  /** Sums of weights. For the storage `mean` these are counts. */
  readonly sums: Float64Array;
  /** Sums of the squares of the weights; null for the storage `mean`, which has none. */
  readonly sumsOfSquares: Float64Array | null;
  readonly means: Float64Array;
  readonly variances: Float64Array;
}

/**
 * Means of one quantity over the bins of several axes, in UHI's storages `mean` and `weighted_mean`: the profile of a
 * `WeightedJointHistogram`, or one of another writer. `JointHistogram.fromJSON` reads it,
 * and `toJSON` writes it without the cells of NaN, for which the schema has no place.
 */
export class MeanJointHistogram extends SeveralAxes<
  UhiJointHistogram<UhiMeans<UhiNested, UhiNested<number | null>>>
> {
  /** The numbers of all cells, flow included. */
  readonly cells: MeanCells;

  constructor(of: Cells) {
    super(of, null);
    const [sums, sumsOfSquares, means, variances] = of.rows;
    this.cells = { sums: sums!, sumsOfSquares: sumsOfSquares!, means: means!, variances: variances! };
  }

  /** Sums of weights in each bin, row-major. */
  get sums(): Float64Array {
    return this.content;
  }
  /** Mean of the quantity in each bin, row-major. */
  get means(): Float64Array {
    return this.bins[2]!;
  }
  /** Variance of the quantity in each bin, row-major, as its writer defines it; NaN if it is not defined. */
  get variances(): Float64Array {
    return this.bins[3]!;
  }

  /** Returns the numbers of one cell, as `JointHistogram.at` does. @throws ERR_INPUT */
  at(...indices: readonly (number | FlowName)[]): MeanBin {
    const cell = this.cellOf(indices);
    const { sums, sumsOfSquares, means, variances } = this.cells;
    const of = (row: Float64Array, none: number) => (cell === null ? none : row[cell]!);
    return {
      sum: of(sums, 0),
      sumOfSquares: sumsOfSquares && of(sumsOfSquares, 0),
      mean: of(means, Number.NaN),
      variance: of(variances, Number.NaN),
    };
  }
}
