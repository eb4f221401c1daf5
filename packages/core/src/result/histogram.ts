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

/** What a serialised histogram may be read as. */
export type AnyHistogram = Histogram | WeightedHistogram | MeanHistogram;

/** What JSON is read as: counts where its type says so; of `any` and `unknown` one of all. */
export type ReadAs<J> = J extends UhiHistogram<UhiCounts> ? Histogram : AnyHistogram;

/** Exact counts over an axis. */
export class Histogram extends Binned {
  /** bins exact integers. */
  readonly counts: Float64Array;
  /** Samples below the first edge. */
  readonly underflow: number;
  /** Samples above the last edge. */
  readonly overflow: number;
  /** Samples that are not a number. */
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
   * The histogram of both inputs together, with this one's metadata; neither is changed.
   * @throws ERR_AXIS unless both have the same edges; ERR_LIMIT where a sum would not be exact any more.
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
   * In UHI's histogram schema: integer storage with both flow bins. What the schema has no place for (NaN
   * count, sample type, integer axes) stands in `writer_info.polybin`, so that `fromJSON` loses nothing.
   */
  toJSON(): UhiHistogram {
    return this.written({ type: "int", values: writeRow("counts", this.counts, this) }, { nan: this.nan });
  }

  /**
   * Reads one histogram in UHI's schema, whoever wrote it, of one regular or variable axis and any storage:
   *
   *   int                      a Histogram
   *   double                   a Histogram where every number is a count, else a WeightedHistogram
   *   weighted                 a WeightedHistogram
   *   mean, weighted_mean      a MeanHistogram
   *
   * Storages may be dense, sparse or empty. A flow bin that the axis has not is 0. Metadata, other writers' notes and
   * keys that the schema does not know are kept for `toJSON`.
   * @throws ERR_INPUT for what the schema does not allow; ERR_UNSUPPORTED for several axes, other or circular axes, and
   * arrays that lie outside the JSON; ERR_AXIS or ERR_LIMIT for an axis that cannot be.
   */
  declare static fromJSON: <J>(json: J) => ReadAs<J>;
}
