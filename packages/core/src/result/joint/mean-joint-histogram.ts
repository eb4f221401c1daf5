import type { Planned } from "../binned.ts";
import type { MeanBin } from "../mean-histogram.ts";
import type { UhiJointHistogram, UhiJointMeans } from "../uhi/schema.ts";
import { binsOf, type FlowName } from "./grid.ts";
import { type JointOf, OverAxes } from "./over-axes.ts";
import { nested, nestedOrNull, writeJoint, writtenGrid } from "./write.ts";

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
 * Means of one quantity over the bins of several axes: profiles of other writers, in UHI's storages `mean` and
 * `weighted_mean`. No engine creates one. `JointHistogram.fromJSON` reads it, and `toJSON` writes it again.
 */
export class MeanJointHistogram extends OverAxes<Planned> {
  /** The numbers of all cells, flow included. */
  readonly cells: MeanCells;

  constructor(of: JointOf<Planned>, cells: MeanCells) {
    super(of);
    this.cells = cells;
  }

  /** Sums of weights in each bin, row-major. */
  get sums(): Float64Array {
    return binsOf(this.cells.sums, this);
  }
  /** Mean of the quantity in each bin, row-major. */
  get means(): Float64Array {
    return binsOf(this.cells.means, this);
  }
  /** Variance of the quantity in each bin, row-major, as its writer defines it; NaN if it is not defined. */
  get variances(): Float64Array {
    return binsOf(this.cells.variances, this);
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

  /**
   * Writes UHI's schema, as it was read. @throws ERR_UNSUPPORTED for an infinite number, which JSON cannot represent.
   */
  toJSON(): UhiJointHistogram<UhiJointMeans> {
    const { sums, sumsOfSquares, means, variances } = this.cells;
    const { extents, carried } = this;
    const to = writtenGrid(this, carried);
    const rows = {
      values: nestedOrNull("means", means, extents, to),
      variances: nestedOrNull("variances", variances, extents, to),
    };
    const counts = nested("sums", sums, extents, to);
    if (sumsOfSquares === null) return writeJoint(to, carried, { type: "mean", counts, ...rows }, {});
    const squares = nested("sumsOfSquares", sumsOfSquares, extents, to);
    return writeJoint(
      to,
      carried,
      { type: "weighted_mean", sum_of_weights: counts, sum_of_weights_squared: squares, ...rows },
      {},
    );
  }
}
