import type { Axis } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { Binned, checkSameAxis, exactSum, type Provenance } from "./binned.ts";
import type { MeanHistogram } from "./mean-histogram.ts";
import type { Counts } from "./merge.ts";
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
    if (!(other instanceof Histogram)) throw expected("ERR_INPUT", "other", "a Histogram", other);
    checkSameAxis(this, other);
    const counts = {
      counts: this.counts.map((count, i) => exactSum(count, other.counts[i]!)),
      underflow: exactSum(this.underflow, other.underflow),
      overflow: exactSum(this.overflow, other.overflow),
      nan: exactSum(this.nan, other.nan),
    };
    return new Histogram(this.axis, this.type, counts, null, this.carried);
  }

  /**
   * Writes UHI's histogram schema: integer storage with both flow bins. Data that the schema has no place for (NaN
   * count, sample type, integer axes) goes to `writer_info.polybin`, so that `fromJSON` loses nothing.
   */
  toJSON(): UhiHistogram {
    return this.written({ type: "int", values: writeRow("counts", this.counts, this) }, { nan: this.nan });
  }

  /**
   * Reads one histogram in UHI's schema from any writer, with one regular or variable axis and any storage:
   *
   *   int                      a Histogram
   *   double                   a Histogram if every number is a count, otherwise a WeightedHistogram
   *   weighted                 a WeightedHistogram
   *   mean, weighted_mean      a MeanHistogram
   *
   * Storages may be dense, sparse or empty. Flow bins that the axis does not have are 0. Metadata, notes of other
   * writers and keys that the schema does not know are kept for `toJSON`.
   * @throws ERR_INPUT for JSON that the schema does not allow.
   * @throws ERR_UNSUPPORTED for several axes, other or circular axes, and arrays that are stored outside the JSON.
   * @throws ERR_AXIS or ERR_LIMIT for an invalid axis.
   */
  declare static fromJSON: <J>(json: J) => ReadAs<J>;
}
