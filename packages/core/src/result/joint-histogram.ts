import type { Axis } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { eachBin, type JointEntry } from "./bins.ts";
import type { Cells } from "./cells.ts";
import type { FlowName } from "./grid.ts";
import { Histogram } from "./histogram.ts";
import type { MeanJointHistogram } from "./mean-joint-histogram.ts";
import { combine, factorsOf, keep, rebin, type Sliced, type Slices, slice } from "./operations.ts";
import type { Provenance } from "./provenance.ts";
import type { Rebinning } from "./regroup.ts";
import { SeveralAxes } from "./several-axes.ts";
import { COUNTS } from "./storage/counts.ts";
import type { CarriedByAxes, UhiCounts, UhiJointHistogram, UhiNested } from "./uhi/schema.ts";
import type { WeightedJointHistogram } from "./weighted-joint-histogram.ts";

/** The numbers of a joint histogram. */
export interface JointCells {
  /** One exact count per cell, row-major, flow included. */
  readonly cells: Float64Array;
  /** Number of codes of each axis: its bins, and no, one or three flow cells (grid.ts). */
  readonly extents: readonly number[];
  /** Number of samples that a mask left out. */
  readonly masked: number;
}

/** A histogram with several axes that was read from JSON. */
export type AnyJointHistogram = JointHistogram | WeightedJointHistogram | MeanJointHistogram;

/** The type of a histogram read from JSON: `JointHistogram` if the JSON's type has counts, otherwise any. */
export type ReadJoint<J> =
  J extends UhiJointHistogram<UhiCounts<UhiNested>> ? JointHistogram : AnyJointHistogram;

/** Exact counts over several axes. */
export class JointHistogram extends SeveralAxes<UhiJointHistogram> {
  /**
   * One exact integer per cell, row-major with the last axis fastest. The cells of an axis are its bins and then its
   * flow: underflow, overflow and NaN, or overflow alone for a category axis, or none if every sample of its type lies
   * in a bin. `extents` has the number of cells along each axis.
   */
  readonly cells: Float64Array;

  constructor(
    axes: readonly Axis[],
    types: readonly SampleType[],
    { cells, extents, masked }: JointCells,
    provenance: Provenance | null = null,
    carried: CarriedByAxes | null = null,
  ) {
    super({ axes, types, extents, storage: COUNTS, rows: [cells], masked, carried }, provenance);
    this.cells = cells;
  }

  /** Returns a result of this storage over other axes. @internal */
  derived(cells: Cells): JointHistogram | Histogram {
    return cells.axes.length === 1 ? Histogram.of(cells) : JointHistogram.of(cells);
  }

  /** @internal */
  static of({ axes, types, extents, rows, masked, carried }: Cells): JointHistogram {
    return new JointHistogram(axes, types, { cells: rows[0]!, extents, masked }, null, carried);
  }

  /** One exact integer per bin, row-major with the last axis fastest: the cells without flow. */
  get counts(): Float64Array {
    return this.content;
  }

  /** Number of samples that lie outside the bins of at least one axis. */
  get flow(): number {
    return this.sum({ flow: true }) - this.sum();
  }

  /**
   * Returns the count of one cell. There is one index per axis: a bin, `"underflow"`, `"overflow"` or `"nan"`.
   * @throws ERR_INPUT for another number of indices, or a bin that does not exist.
   */
  at(...indices: readonly (number | FlowName)[]): number {
    const cell = this.cellOf(indices);
    return cell === null ? 0 : this.cells[cell]!;
  }

  /** Iterates over the bins in the order of `counts`, with the edges of each and `length`, its number of samples. */
  *entries(): Generator<JointEntry> {
    const { counts } = this;
    for (const { at, ...bin } of eachBin(this.edges)) yield { ...bin, length: counts[at]! };
  }

  /**
   * Keeps the named axes, in the order given, and adds up the others with their flow. Every sample of this result is
   * in the projection, so a projection onto one axis equals the histogram of its column.
   * @throws ERR_INPUT for an axis that does not exist or is repeated, or for no axis.
   * @throws ERR_LIMIT if a count would not be exact.
   */
  project(axis: number): Histogram;
  project(first: number, second: number, ...more: readonly number[]): JointHistogram;
  project(...axes: readonly number[]): JointHistogram | Histogram {
    return this.derived(keep(this, axes, false));
  }

  /**
   * Keeps the named axes as `project` does, but adds up only the bins of the others. Samples that lie outside the bins
   * of an axis that is not named are left out.
   * @throws as `project` does.
   */
  marginal(axis: number): Histogram;
  marginal(first: number, second: number, ...more: readonly number[]): JointHistogram;
  marginal(...axes: readonly number[]): JointHistogram | Histogram {
    return this.derived(keep(this, axes, true));
  }

  /**
   * Cuts out a part. `slice({ 0: [2, 5] })` keeps bins 2, 3 and 4 of axis 0, and `slice({ 0: { lo: 0.5, hi: 1 } })` the
   * bins between two edges. The samples of its other bins become underflow and overflow. `slice({ 0: 3 })` keeps the
   * samples of one bin, and `slice({ 0: "nan" })` those of a flow cell. The result has the remaining axes.
   * @throws ERR_INPUT for axes or bins that do not exist, or if no axis remains.
   * @throws ERR_AXIS for a value that is no edge.
   * @throws ERR_UNSUPPORTED for edges of a category axis, and for a range of a boolean axis.
   */
  slice<const S extends Slices>(slices: S): Sliced<S, JointHistogram, Histogram> {
    return this.derived(slice(this, slices)) as Sliced<S, JointHistogram, Histogram>;
  }

  /**
   * Joins neighbouring bins: by a factor for every axis, or `rebin({ 0: 2, 1: [0, 0.5, 1] })` by a factor or edges for
   * some. Samples beyond the given edges become underflow and overflow.
   * @throws ERR_INPUT for an axis that does not exist, or a factor that does not divide its bins.
   * @throws ERR_AXIS for a value that is no edge.
   * @throws ERR_UNSUPPORTED for a category axis.
   */
  rebin(by: number | Readonly<Record<number, Rebinning>>): JointHistogram {
    return JointHistogram.of(rebin(this, factorsOf(this, by)));
  }

  /**
   * Returns the histogram of both inputs together. Neither input is changed.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_LIMIT if a sum would no longer be exact.
   */
  merge(other: JointHistogram): JointHistogram {
    return JointHistogram.of(combine(this, checked(other), "sum"));
  }

  /**
   * Returns the histogram without the samples of the other one, which must be among those of this one.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: JointHistogram): JointHistogram {
    return JointHistogram.of(combine(this, checked(other), "difference"));
  }

  /**
   * Reads a histogram with any number of axes but one in UHI's schema from any writer. Without axes it has one cell. Axes
   * are of any type, and storages as `Histogram.fromJSON` reads them: a JointHistogram for counts, a
   * WeightedJointHistogram for sums of weights, and a MeanJointHistogram for means.
   * @throws ERR_INPUT for JSON that the schema does not allow.
   * @throws ERR_UNSUPPORTED for one axis, circular axes of type variable, and arrays outside the JSON.
   * @throws ERR_AXIS or ERR_LIMIT for an invalid axis.
   * @throws ERR_LIMIT for more than 32 axes, or more than 2^26 numbers over all cells.
   */
  declare static fromJSON: <J>(json: J) => ReadJoint<J>;
}

function checked(other: unknown): JointHistogram {
  if (other instanceof JointHistogram) return other;
  throw expected("ERR_INPUT", "other", "a JointHistogram", other);
}
