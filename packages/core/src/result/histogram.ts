import type { Axis } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import {
  type Bin,
  Binned,
  type Combine,
  checkExact,
  checkedMasked,
  checkSameAxis,
  exactDifference,
  exactSum,
  type Provenance,
} from "./binned.ts";
import type { MeanHistogram } from "./mean-histogram.ts";
import { type Counts, regrouped } from "./merge.ts";
import { type EdgeSpan, type Rebinning, type Regrouped, rebinned, sliced } from "./regroup.ts";
import type { CarriedPair, UhiCounts, UhiHistogram } from "./uhi/schema.ts";
import { writeRow } from "./uhi/write.ts";
import type { WeightedHistogram } from "./weighted-histogram.ts";

export type { Provenance } from "./binned.ts";

/** A histogram that was read from JSON. */
export type AnyHistogram = Histogram | WeightedHistogram | MeanHistogram;

/** The type of a histogram read from JSON: `Histogram` if the JSON's type has counts, otherwise any of the three. */
export type ReadAs<J> = J extends UhiHistogram<UhiCounts> ? Histogram : AnyHistogram;

/** Exact counts over an axis. */
export class Histogram extends Binned {
  /** One exact integer per bin. */
  readonly counts: Float64Array;
  /** Number of samples below the first edge. */
  readonly underflow: number;
  /** Number of samples above the last edge. */
  readonly overflow: number;
  /** Number of samples that are NaN. */
  readonly nan: number;
  /** Number of samples that a mask left out. The other numbers do not include them. */
  readonly masked: number;

  constructor(
    axis: Axis,
    type: SampleType,
    counts: Counts,
    provenance: Provenance | null = null,
    carried?: CarriedPair,
  ) {
    super(axis, type, counts.counts, provenance, carried);
    this.counts = counts.counts;
    this.underflow = counts.underflow;
    this.overflow = counts.overflow;
    this.nan = counts.nan;
    this.masked = checkedMasked(counts.masked ?? 0);
  }

  protected override get outside(): readonly number[] {
    return [this.underflow, this.overflow, this.nan];
  }

  /**
   * Returns the histogram of both inputs together, with this one's metadata. Neither input is changed.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_LIMIT if a sum would no longer be exact.
   */
  merge(other: Histogram): Histogram {
    return this.#with(other, exactSum);
  }

  /**
   * Returns the histogram without the samples of the other one, which must be among those of this one.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: Histogram): Histogram {
    return this.#with(other, exactDifference);
  }

  /**
   * Joins neighbouring bins. Samples beyond the given edges become underflow and overflow.
   * @param by a factor that divides the number of bins, or some of the edges
   * @throws ERR_INPUT for another factor; ERR_AXIS for a value that is no edge.
   * @throws ERR_UNSUPPORTED for category and boolean axes.
   * @throws ERR_LIMIT if a count would no longer be exact.
   */
  rebin(by: Rebinning): Histogram {
    return this.#regrouped(rebinned(this.axis, this.type, by));
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
    return this.#regrouped(
      sliced(this.axis, this.type, typeof first === "number" ? [first, end ?? this.bins] : first),
    );
  }

  /** Returns the bins in the words of d3: the edges of each, and `length`, its number of samples. */
  entries(): Bin[] {
    const { counts, edges } = this;
    return Array.from(counts, (length, i) => ({ x0: edges[i]!, x1: edges[i + 1]!, length }));
  }

  #with(other: Histogram, combine: Combine): Histogram {
    if (!(other instanceof Histogram)) throw expected("ERR_INPUT", "other", "a Histogram", other);
    checkSameAxis(this, other);
    const counts = {
      counts: this.counts.map((count, i) => combine(count, other.counts[i]!)),
      underflow: combine(this.underflow, other.underflow),
      overflow: combine(this.overflow, other.overflow),
      nan: combine(this.nan, other.nan),
      masked: combine(this.masked, other.masked, "masked"),
    };
    return new Histogram(this.axis, this.type, counts, null, this.carried);
  }

  #regrouped({ axis, codes }: Regrouped): Histogram {
    const counts = { ...regrouped(this, codes, axis.bins), masked: this.masked };
    checkExact([...counts.counts, counts.underflow, counts.overflow]);
    return new Histogram(axis, this.type, counts, null, this.carried);
  }

  /**
   * Writes UHI's histogram schema: integer storage with both flow bins. Data that the schema has no place for (NaN
   * count, sample type, kind of axis) goes to `writer_info.polybin`, so that `fromJSON` loses nothing.
   */
  toJSON(): UhiHistogram {
    const { axis, counts, nan, masked, underflow } = this;
    const values = writeRow(axis, "counts", counts, this);
    // The schema has no underflow of a circle.
    const own = { nan, ...(masked > 0 && { masked }), ...(axis.type === "circular" && { underflow }) };
    return this.written({ type: "int", values }, own);
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
