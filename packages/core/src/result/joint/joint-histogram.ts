import type { Axis } from "../../axis/index.ts";
import { checkNames, checkSwitch, expected } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import type { JointPlan } from "../../plan/index.ts";
import { type Combine, checkExact, exactDifference, exactSum, type Provenance } from "../binned.ts";
import { Histogram } from "../histogram.ts";
import type { UhiJointCounts, UhiJointHistogram } from "../uhi/schema.ts";
import { densityOf, eachBin, type JointEntry } from "./bins.ts";
import type { JointCarried } from "./carried.ts";
import { binsOf, type FlowName } from "./grid.ts";
import { Joint, type Rows } from "./joint.ts";
import type { MeanJointHistogram } from "./mean-joint-histogram.ts";
import type { JointOf } from "./over-axes.ts";
import { oneAxis } from "./single.ts";
import type { WeightedJointHistogram } from "./weighted-joint-histogram.ts";
import { nested, outside, writeJoint, writtenGrid } from "./write.ts";

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
export type ReadJoint<J> = J extends UhiJointHistogram<UhiJointCounts> ? JointHistogram : AnyJointHistogram;

/** Exact counts over several axes. */
export class JointHistogram extends Joint<JointHistogram, Histogram, JointPlan> {
  /**
   * One exact integer per cell, row-major with the last axis fastest. The cells of an axis are its bins and then its
   * flow: underflow, overflow and NaN, or overflow alone for a category axis, or none if every sample of its type lies
   * in a bin. `extents` has the number of cells along each axis.
   */
  readonly cells: Float64Array;
  #counts: Float64Array | null = null;

  constructor(
    axes: readonly Axis[],
    types: readonly SampleType[],
    { cells, extents, masked }: JointCells,
    provenance: Provenance<JointPlan> | null = null,
    carried: JointCarried | null = null,
  ) {
    super({ axes, types, extents, masked, provenance, carried });
    this.cells = cells;
  }

  /** One exact integer per bin, row-major with the last axis fastest: the cells without flow. */
  get counts(): Float64Array {
    this.#counts ??= binsOf(this.cells, this);
    return this.#counts;
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

  /** Returns the number of samples in the bins, with `flow` in all cells. @throws ERR_INPUT for an unknown option. */
  sum(options: { readonly flow?: boolean } = {}): number {
    checkNames(options, ["flow"]);
    checkSwitch(options.flow, "flow");
    const counts = options.flow === true ? this.cells : this.counts;
    let sum = 0;
    for (let i = 0; i < counts.length; i++) sum += counts[i]!;
    return sum;
  }

  /** Returns the counts divided by their sum and by the volume of each bin, as NumPy's `histogramdd` does. */
  density(): Float64Array {
    return densityOf(this.counts, this.sum(), this.edges);
  }

  /** Iterates over the bins in the order of `counts`, with the edges of each and `length`, its number of samples. */
  *entries(): Generator<JointEntry> {
    const { counts } = this;
    for (const { at, ...bin } of eachBin(this.edges)) yield { ...bin, length: counts[at]! };
  }

  /**
   * Returns the histogram of both inputs together. Neither input is changed.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_LIMIT if a sum would no longer be exact.
   */
  merge(other: JointHistogram): JointHistogram {
    return this.#with(other, exactSum);
  }

  /**
   * Returns the histogram without the samples of the other one, which must be among those of this one.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: JointHistogram): JointHistogram {
    return this.#with(other, exactDifference);
  }

  /**
   * Writes UHI's histogram schema: integer storage with the flow that the schema has a place for. The other cells, such
   * as those of NaN, and the number of masked samples go to `writer_info.polybin`, and the type of samples and the kind
   * of axis to the same key of each axis, so that `fromJSON` loses nothing.
   */
  toJSON(): UhiJointHistogram {
    const { cells, extents, masked } = this;
    const to = writtenGrid(this, this.carried);
    const storage = { type: "int", values: nested("counts", cells, extents, to) } as const;
    const own = { masked, cells: outside("counts", cells, extents, to) };
    return writeJoint(to, this.carried, storage, own);
  }

  /**
   * Reads a histogram with any number of axes but one in UHI's schema from any writer. Without axes it has one cell. Axes are of any type, and storages as
   * `Histogram.fromJSON` reads them: a JointHistogram for counts, a WeightedJointHistogram for sums of weights, and a
   * MeanJointHistogram for means.
   * @throws ERR_INPUT for JSON that the schema does not allow.
   * @throws ERR_UNSUPPORTED for one axis, circular axes of type variable, and arrays outside the JSON.
   * @throws ERR_AXIS or ERR_LIMIT for an invalid axis.
   * @throws ERR_LIMIT for more than 32 axes, or more than 2^26 numbers over all cells.
   */
  declare static fromJSON: <J>(json: J) => ReadJoint<J>;

  #with(other: JointHistogram, combine: Combine): JointHistogram {
    if (!(other instanceof JointHistogram)) {
      throw expected("ERR_INPUT", "other", "a JointHistogram", other);
    }
    const { grid, rows, others } = this.aligned(other);
    const numbers = {
      cells: rows[0]!.map((count, i) => combine(count, others[0]![i]!)),
      extents: grid.extents,
      masked: combine(this.masked, other.masked, "masked"),
    };
    return new JointHistogram(this.axes, this.types, numbers, null, this.carried);
  }

  protected override get rows(): Rows {
    return [this.cells];
  }

  protected override remade(
    { axes, types, extents, masked, carried }: JointOf<JointPlan>,
    [cells]: Rows,
  ): JointHistogram {
    checkExact(cells!);
    const numbers = { cells: cells!, extents, masked };
    return new JointHistogram(axes, types, numbers, null, carried);
  }

  protected override single({ axes, types, masked, carried }: JointOf<JointPlan>, [cells]: Rows): Histogram {
    const [axis, type] = [axes[0]!, types[0]!];
    checkExact(cells!);
    const { bins, flow } = oneAxis(axis, cells!);
    const pair = carried === null ? undefined : { histogram: carried.histogram, axis: carried.axes[0]! };
    return new Histogram(axis, type, { counts: bins, ...flow, masked }, null, pair);
  }
}
