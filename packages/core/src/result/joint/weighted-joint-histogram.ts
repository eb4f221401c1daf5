import type { Axis } from "../../axis/index.ts";
import { checkNames, checkSwitch, expected } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import type { WeightedPlan } from "../../plan/index.ts";
import { type Combine, exactDifference, exactSum, type Provenance, sumOf } from "../binned.ts";
import { finiteDifference, finiteSum, notNegativeDifference } from "../sums.ts";
import type { UhiJointHistogram, UhiJointSums, UhiJointWeightedSums, UhiScalar } from "../uhi/schema.ts";
import { WeightedHistogram } from "../weighted-histogram.ts";
import { type Profile, profileOf } from "../weighted-profile.ts";
import { densityOf, eachBin, type JointEntry } from "./bins.ts";
import type { JointCarried } from "./carried.ts";
import { binsOf, type FlowName } from "./grid.ts";
import { Joint, type Rows } from "./joint.ts";
import type { JointOf } from "./over-axes.ts";
import { oneAxis } from "./single.ts";
import { nested, outside, writeJoint, writtenGrid } from "./write.ts";

/** The numbers of cells. Each array has one number per cell, row-major, flow included. */
export interface WeightedCells {
  /** Number of samples; null if a file does not contain it. */
  readonly counts: Float64Array | null;
  /** Sums of their weights. */
  readonly sums: Float64Array;
  /** Sums of the squares of their weights; null if they were not requested. */
  readonly sumsOfSquares: Float64Array | null;
}

/** The numbers of a weighted joint histogram. */
export interface WeightedJointCells {
  readonly cells: WeightedCells;
  /** Number of codes of each axis: its bins, and no, one or three flow cells (grid.ts). */
  readonly extents: readonly number[];
  /** Number of samples that a mask left out. */
  readonly masked: number;
}

/** The numbers of one cell. */
export interface WeightedCell {
  readonly count: number | null;
  readonly sum: number;
  readonly sumOfSquares: number | null;
}

/** A bin with its sum of weights. */
export interface WeightedJointEntry extends Omit<JointEntry, "length"> {
  /** Number of samples; null if it is not known. */
  readonly length: number | null;
  /** Sum of their weights. */
  readonly sum: number;
}

/**
 * Counts and sums of weights over several axes, as NumPy's `histogramdd(samples, bins, weights=weights)`. `sum` and
 * `density` refer to the sums. Sums of several cells are compensated for rounding (Neumaier).
 */
export class WeightedJointHistogram extends Joint<WeightedJointHistogram, WeightedHistogram, WeightedPlan> {
  /** The numbers of all cells, flow included. */
  readonly cells: WeightedCells;
  #bins: WeightedCells | null = null;

  constructor(
    axes: readonly Axis[],
    types: readonly SampleType[],
    { cells, extents, masked }: WeightedJointCells,
    provenance: Provenance<WeightedPlan> | null = null,
    carried: JointCarried | null = null,
  ) {
    super({ axes, types, extents, masked, provenance, carried });
    this.cells = cells;
  }

  /** Exact number of samples in each bin, row-major. Null if it is not known. */
  get counts(): Float64Array | null {
    return this.#inBins.counts;
  }
  /** Sum of the weights in each bin, row-major. */
  get sums(): Float64Array {
    return this.#inBins.sums;
  }
  /** Sum of the squares of the weights in each bin, row-major; null if they were not requested. */
  get sumsOfSquares(): Float64Array | null {
    return this.#inBins.sumsOfSquares;
  }

  /** Returns the numbers of one cell, as `JointHistogram.at` does. @throws ERR_INPUT */
  at(...indices: readonly (number | FlowName)[]): WeightedCell {
    const cell = this.cellOf(indices);
    const { counts, sums, sumsOfSquares } = this.cells;
    const of = (row: Float64Array) => (cell === null ? 0 : row[cell]!);
    return { count: counts && of(counts), sum: of(sums), sumOfSquares: sumsOfSquares && of(sumsOfSquares) };
  }

  /** Returns the sum of the weights in the bins, with `flow` in all cells. @throws ERR_INPUT for an unknown option. */
  sum(options: { readonly flow?: boolean } = {}): number {
    checkNames(options, ["flow"]);
    checkSwitch(options.flow, "flow");
    return sumOf(options.flow === true ? this.cells.sums : this.sums);
  }

  /** Returns the sums divided by their sum and by the volume of each bin. */
  density(): Float64Array {
    return densityOf(this.sums, this.sum(), this.edges);
  }

  /** Iterates over the bins in the order of `sums`, with the edges, the number of samples and the sum of each. */
  *entries(): Generator<WeightedJointEntry> {
    const { counts, sums } = this;
    for (const { at, ...bin } of eachBin(this.edges)) {
      yield { ...bin, length: counts && counts[at]!, sum: sums[at]! };
    }
  }

  /**
   * Returns mean and variance of the weights in each bin, which boost-histogram calls a profile.
   * @throws ERR_INPUT unless counts and sums of squares are known: request them with `squares: true`.
   */
  profile(): Profile {
    return profileOf(this);
  }

  /**
   * Returns the histogram of both inputs together, as `WeightedHistogram.merge` does.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_LIMIT if a count would not be exact, or a sum not finite.
   */
  merge(other: WeightedJointHistogram): WeightedJointHistogram {
    return this.#with(other, exactSum, finiteSum, finiteSum);
  }

  /**
   * Returns the histogram without the samples of the other one, as `WeightedHistogram.subtract` does.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: WeightedJointHistogram): WeightedJointHistogram {
    return this.#with(other, exactDifference, finiteDifference, notNegativeDifference);
  }

  /**
   * Writes UHI's histogram schema: weighted storage if there are sums of squares, otherwise double storage. Counts, and
   * cells that the schema has no place for, go to `writer_info.polybin`.
   * @throws ERR_UNSUPPORTED if a number is not finite, which JSON cannot represent.
   */
  toJSON(): UhiJointHistogram<UhiJointSums | UhiJointWeightedSums> {
    const { extents } = this;
    const { counts, sums, sumsOfSquares: squares } = this.cells;
    const to = writtenGrid(this, this.carried);
    const values = nested("sums", sums, extents, to);
    const own: Record<string, UhiScalar> = {
      weighted: true,
      masked: this.masked,
      cells: outside("sums", sums, extents, to),
    };
    if (counts) own.counts = counts.join(" ");
    if (!squares) return writeJoint(to, this.carried, { type: "double", values }, own);
    own.cellsOfSquares = outside("sumsOfSquares", squares, extents, to);
    const variances = nested("sumsOfSquares", squares, extents, to);
    return writeJoint(to, this.carried, { type: "weighted", values, variances }, own);
  }

  get #inBins(): WeightedCells {
    const { counts, sums, sumsOfSquares } = this.cells;
    this.#bins ??= {
      counts: counts && binsOf(counts, this),
      sums: binsOf(sums, this),
      sumsOfSquares: sumsOfSquares && binsOf(sumsOfSquares, this),
    };
    return this.#bins;
  }

  #with(
    other: WeightedJointHistogram,
    counts: Combine,
    sums: Combine,
    squares: Combine,
  ): WeightedJointHistogram {
    if (!(other instanceof WeightedJointHistogram)) {
      throw expected("ERR_INPUT", "other", "a WeightedJointHistogram", other);
    }
    const { grid, rows, others } = this.aligned(other);
    const combined = [counts, sums, squares].map((combine, i) => {
      const [a, b] = [rows[i]!, others[i]!];
      return a && b && a.map((value, cell) => combine(value, b[cell]!));
    });
    const numbers = {
      cells: cellsOf(combined),
      extents: grid.extents,
      masked: counts(this.masked, other.masked, "masked"),
    };
    return new WeightedJointHistogram(this.axes, this.types, numbers, null, this.carried);
  }

  protected override get rows(): Rows {
    const { counts, sums, sumsOfSquares } = this.cells;
    return [counts, sums, sumsOfSquares];
  }

  protected override remade(
    { axes, types, extents, masked, carried }: JointOf<WeightedPlan>,
    rows: Rows,
  ): WeightedJointHistogram {
    return new WeightedJointHistogram(axes, types, { cells: cellsOf(rows), extents, masked }, null, carried);
  }

  protected override single(
    { axes, types, masked, carried }: JointOf<WeightedPlan>,
    rows: Rows,
  ): WeightedHistogram {
    const axis = axes[0]!;
    const [counts, sums, squares] = rows.map((row) => row && oneAxis(axis, row));
    const numbers = {
      counts: counts?.bins ?? null,
      flow: counts?.flow ?? null,
      sums: sums!.bins,
      flowSums: sums!.flow,
      sumsOfSquares: squares?.bins ?? null,
      flowSumsOfSquares: squares?.flow ?? null,
      limbs: null,
      limbsOfSquares: null,
      masked,
    };
    const pair = carried === null ? undefined : { histogram: carried.histogram, axis: carried.axes[0]! };
    return new WeightedHistogram(axis, types[0]!, numbers, null, pair);
  }
}

function cellsOf([counts, sums, sumsOfSquares]: Rows): WeightedCells {
  return { counts: counts ?? null, sums: sums!, sumsOfSquares: sumsOfSquares ?? null };
}
