import type { Axis } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { Bin } from "./bins.ts";
import type { Cells } from "./cells.ts";
import { checkedMasked } from "./combine.ts";
import type { MeanHistogram } from "./mean-histogram.ts";
import type { Counts } from "./merge.ts";
import { cellsOf, OneAxis, oneAxis } from "./one-axis.ts";
import { combine, rebin, slice } from "./operations.ts";
import type { Provenance } from "./provenance.ts";
import type { EdgeSpan, Rebinning } from "./regroup.ts";
import { COUNTS } from "./storage/counts.ts";
import type { Rows, Storage } from "./storage/storage.ts";
import type { CarriedByAxes, UhiCounts, UhiHistogram } from "./uhi/schema.ts";
import type { WeightedHistogram } from "./weighted-histogram.ts";

/** A histogram that was read from JSON. */
export type AnyHistogram = Histogram | WeightedHistogram | MeanHistogram;

/** The type of a histogram read from JSON: `Histogram` if the JSON's type has counts, otherwise any of the three. */
export type ReadAs<J> = J extends UhiHistogram<UhiCounts> ? Histogram : AnyHistogram;

/** Exact counts over an axis. */
export class Histogram extends OneAxis<UhiHistogram<UhiCounts>> {
  /** One exact integer per bin. */
  readonly counts: Float64Array;
  /** Number of samples below the first edge. */
  readonly underflow: number;
  /** Number of samples above the last edge. */
  readonly overflow: number;
  /** Number of samples that are NaN. */
  readonly nan: number;
  readonly masked: number;

  constructor(
    axis: Axis,
    type: SampleType,
    counts: Counts,
    provenance: Provenance | null = null,
    carried: CarriedByAxes | null = null,
  ) {
    super(axis, type, provenance, carried);
    this.counts = counts.counts;
    this.underflow = counts.underflow;
    this.overflow = counts.overflow;
    this.nan = counts.nan;
    this.masked = checkedMasked(counts.masked ?? 0);
  }

  /** @internal */
  static of(cells: Cells, provenance: Provenance | null = null): Histogram {
    const { bins, flow } = oneAxis(cells)[0]!;
    const counts = { counts: bins, ...flow, masked: cells.masked };
    return new Histogram(cells.axes[0]!, cells.types[0]!, counts, provenance, cells.carried);
  }

  get storage(): Storage {
    return COUNTS;
  }
  get rows(): Rows {
    return [cellsOf(this.counts, this)];
  }
  protected get content(): Float64Array {
    return this.counts;
  }

  /**
   * Returns the histogram of both inputs together, with this one's metadata. Neither input is changed.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_LIMIT if a sum would no longer be exact.
   */
  merge(other: Histogram): Histogram {
    return Histogram.of(combine(this, checked(other), "sum"));
  }

  /**
   * Returns the histogram without the samples of the other one, which must be among those of this one.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: Histogram): Histogram {
    return Histogram.of(combine(this, checked(other), "difference"));
  }

  /**
   * Joins neighbouring bins. Samples beyond the given edges become underflow and overflow.
   * @param by a factor that divides the number of bins, or some of the edges
   * @throws ERR_INPUT for another factor; ERR_AXIS for a value that is no edge.
   * @throws ERR_UNSUPPORTED for category and boolean axes.
   * @throws ERR_LIMIT if a count would no longer be exact.
   */
  rebin(by: Rebinning): Histogram {
    return Histogram.of(rebin(this, { 0: by }));
  }

  /**
   * Keeps some of the bins: `slice(2, 5)` bins 2, 3 and 4, and `slice({ lo: 0.5, hi: 1 })` those between two edges. The
   * samples of the others become underflow and overflow.
   * @throws ERR_INPUT for an empty range, or one beyond the axis; ERR_AXIS for a value that is no edge.
   * @throws ERR_UNSUPPORTED for edges of a category axis, and for one of the bins of a boolean axis.
   * @throws ERR_LIMIT if a count would no longer be exact.
   */
  slice(first: number, end?: number): Histogram;
  slice(between: EdgeSpan): Histogram;
  slice(first: number | EdgeSpan, end?: number): Histogram {
    return Histogram.of(slice(this, this.sliceOf(first, end)));
  }

  /** Returns the bins in the words of d3: the edges of each, and `length`, its number of samples. */
  entries(): Bin[] {
    const { counts, edges } = this;
    return Array.from(counts, (length, i) => ({ x0: edges[i]!, x1: edges[i + 1]!, length }));
  }

  /**
   * Reads one histogram in UHI's schema from any writer, with one axis and any storage:
   *
   *   int                      a Histogram
   *   double                   a Histogram if every number is a count, otherwise a WeightedHistogram
   *   weighted                 a WeightedHistogram
   *   mean, weighted_mean      a MeanHistogram
   *
   * Storages may be dense, sparse or empty. Flow bins that the axis does not have are 0. Metadata, notes of other
   * writers and keys that the schema does not know are kept for `toJSON`.
   * @throws ERR_INPUT for JSON that the schema does not allow.
   * @throws ERR_UNSUPPORTED for several axes, which `JointHistogram.fromJSON` reads, and arrays that are stored outside
   * the JSON.
   * @throws ERR_AXIS or ERR_LIMIT for an invalid axis.
   */
  declare static fromJSON: <J>(json: J) => ReadAs<J>;
}

function checked(other: unknown): Histogram {
  if (other instanceof Histogram) return other;
  throw expected("ERR_INPUT", "other", "a Histogram", other);
}
