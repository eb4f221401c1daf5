import type { Axis } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { eachBin, type JointEntry } from "./bins.ts";
import type { Cells } from "./cells.ts";
import type { FlowName } from "./grid.ts";
import { MeanJointHistogram } from "./mean-joint-histogram.ts";
import { combine, factorsOf, keep, rebin, type Sliced, type Slices, slice } from "./operations.ts";
import type { Provenance } from "./provenance.ts";
import type { Rebinning } from "./regroup.ts";
import { SeveralAxes } from "./several-axes.ts";
import { SUMS } from "./storage/sums.ts";
import type { CarriedByAxes, UhiJointHistogram, UhiNested, UhiSums, UhiWeightedSums } from "./uhi/schema.ts";
import { WeightedHistogram } from "./weighted-histogram.ts";
import { meansOf } from "./weighted-profile.ts";

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
export class WeightedJointHistogram extends SeveralAxes<
  UhiJointHistogram<UhiSums<UhiNested> | UhiWeightedSums<UhiNested>>
> {
  /** The numbers of all cells, flow included. */
  readonly cells: WeightedCells;

  constructor(
    axes: readonly Axis[],
    types: readonly SampleType[],
    { cells, extents, masked }: WeightedJointCells,
    provenance: Provenance | null = null,
    carried: CarriedByAxes | null = null,
  ) {
    const rows = [cells.counts, cells.sums, cells.sumsOfSquares];
    super({ axes, types, extents, storage: SUMS, rows, masked, carried }, provenance);
    this.cells = cells;
  }

  /** Returns a result of this storage over other axes. @internal */
  derived(cells: Cells): WeightedJointHistogram | WeightedHistogram {
    return cells.axes.length === 1 ? WeightedHistogram.of(cells) : WeightedJointHistogram.of(cells);
  }

  /** @internal */
  static of({ axes, types, extents, rows, masked, carried }: Cells): WeightedJointHistogram {
    const [counts = null, sums, sumsOfSquares = null] = rows;
    const cells = { counts, sums: sums!, sumsOfSquares };
    return new WeightedJointHistogram(axes, types, { cells, extents, masked }, null, carried);
  }

  /** Exact number of samples in each bin, row-major. Null if it is not known. */
  get counts(): Float64Array | null {
    return this.bins[0]!;
  }
  /** Sum of the weights in each bin, row-major. */
  get sums(): Float64Array {
    return this.content;
  }
  /** Sum of the squares of the weights in each bin, row-major; null if they were not requested. */
  get sumsOfSquares(): Float64Array | null {
    return this.bins[2]!;
  }

  /** Returns the numbers of one cell, as `JointHistogram.at` does. @throws ERR_INPUT */
  at(...indices: readonly (number | FlowName)[]): WeightedCell {
    const cell = this.cellOf(indices);
    const { counts, sums, sumsOfSquares } = this.cells;
    const of = (row: Float64Array) => (cell === null ? 0 : row[cell]!);
    return { count: counts && of(counts), sum: of(sums), sumOfSquares: sumsOfSquares && of(sumsOfSquares) };
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
  profile(): MeanJointHistogram {
    return new MeanJointHistogram(meansOf(this));
  }

  /**
   * Returns the histogram of both inputs together, as `WeightedHistogram.merge` does.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_LIMIT if a count would not be exact, or a sum not finite.
   */
  merge(other: WeightedJointHistogram): WeightedJointHistogram {
    return WeightedJointHistogram.of(combine(this, checked(other), "sum"));
  }

  /**
   * Returns the histogram without the samples of the other one, as `WeightedHistogram.subtract` does.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: WeightedJointHistogram): WeightedJointHistogram {
    return WeightedJointHistogram.of(combine(this, checked(other), "difference"));
  }

  /** Keeps the named axes, as `JointHistogram.project` does. */
  project(axis: number): WeightedHistogram;
  project(first: number, second: number, ...more: readonly number[]): WeightedJointHistogram;
  project(...axes: readonly number[]): WeightedJointHistogram | WeightedHistogram {
    return this.derived(keep(this, axes, false));
  }

  /** Keeps the named axes without the flow of the others, as `JointHistogram.marginal` does. */
  marginal(axis: number): WeightedHistogram;
  marginal(first: number, second: number, ...more: readonly number[]): WeightedJointHistogram;
  marginal(...axes: readonly number[]): WeightedJointHistogram | WeightedHistogram {
    return this.derived(keep(this, axes, true));
  }

  /** Cuts out a part, as `JointHistogram.slice` does. @throws ERR_LIMIT also if a sum would not be finite. */
  slice<const S extends Slices>(slices: S): Sliced<S, WeightedJointHistogram, WeightedHistogram> {
    return this.derived(slice(this, slices)) as Sliced<S, WeightedJointHistogram, WeightedHistogram>;
  }

  /** Joins neighbouring bins, as `JointHistogram.rebin` does. @throws ERR_LIMIT also if a sum would not be finite. */
  rebin(by: number | Readonly<Record<number, Rebinning>>): WeightedJointHistogram {
    return WeightedJointHistogram.of(rebin(this, factorsOf(this, by)));
  }
}

function checked(other: unknown): WeightedJointHistogram {
  if (other instanceof WeightedJointHistogram) return other;
  throw expected("ERR_INPUT", "other", "a WeightedJointHistogram", other);
}
