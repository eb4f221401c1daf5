import type { Axis } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { Bin } from "./bins.ts";
import type { Cells, Flow } from "./cells.ts";
import { checkedMasked } from "./combine.ts";
import { MeanHistogram } from "./mean-histogram.ts";
import { cellsOf, OneAxis, oneAxis } from "./one-axis.ts";
import { combine, rebin, slice } from "./operations.ts";
import type { Provenance } from "./provenance.ts";
import type { EdgeSpan, Rebinning } from "./regroup.ts";
import type { Rows, Storage } from "./storage/storage.ts";
import { SUMS } from "./storage/sums.ts";
import type { CarriedByAxes, UhiHistogram, UhiScalar, UhiSums, UhiWeightedSums } from "./uhi/schema.ts";
import { meansOf } from "./weighted-profile.ts";

/** The numbers of a weighted histogram. */
export interface WeightedNumbers {
  /** Number of samples in each bin and outside the bins; null if a file does not contain it. */
  readonly counts: Float64Array | null;
  readonly flow: Flow | null;
  readonly sums: Float64Array;
  readonly flowSums: Flow;
  readonly sumsOfSquares: Float64Array | null;
  readonly flowSumsOfSquares: Flow | null;
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;
  /** Number of samples that a mask left out. Absent: none. */
  readonly masked?: number;
}

/** A bin with its sum of weights. */
export interface WeightedBin extends Omit<Bin, "length"> {
  /** Number of samples; null if it is not known. */
  readonly length: number | null;
  /** Sum of their weights. */
  readonly sum: number;
}

/** A weighted histogram that an engine returned. Nothing is null except timings that were not requested. */
export type Weighed = WeightedHistogram & {
  readonly [K in
    | ("counts" | "flow" | "underflow" | "overflow" | "nan")
    | ("backend" | "device" | "algorithm" | "plan")]: NonNullable<WeightedHistogram[K]>;
};

/**
 * Counts and sums of weights over an axis, as NumPy's `histogram(samples, bins, weights=weights)`, with additional
 * numbers. `sum`, `density` and `cumulative` refer to the sums.
 */
export class WeightedHistogram extends OneAxis<UhiHistogram<UhiSums | UhiWeightedSums>> {
  /** Exact number of samples in each bin. Null if it is not known, as in files of other writers. */
  readonly counts: Float64Array | null;
  /** Number of samples below the first edge, above the last edge, and NaN. Null if `counts` is null. */
  readonly underflow: number | null;
  readonly overflow: number | null;
  readonly nan: number | null;
  /**
   * Sums of the samples' weights. With the precision "reproducible" they are the exact sums, each rounded once to a
   * double, with the same bits everywhere. With "fast" they are sums of 32-bit floats.
   */
  readonly sums: Float64Array;
  /** Sums of the weights outside the bins. */
  readonly flowSums: Flow;
  /**
   * Sums of the squares of the weights, which are the variances of the sums. Each square is rounded to a double;
   * their sum is exact and rounded once. Null if they were not requested.
   */
  readonly sumsOfSquares: Float64Array | null;
  /** Sums of the squares of the weights outside the bins. Null if `sumsOfSquares` is null. */
  readonly flowSumsOfSquares: Flow | null;
  /**
   * Number of 20-bit limbs that the weights were cut into, which is the cost of exact sums: each limb is added up
   * separately. Null for the precision "fast", for merged results, and if the device adds up whole weights.
   */
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;
  readonly masked: number;

  constructor(
    axis: Axis,
    type: SampleType,
    numbers: WeightedNumbers,
    provenance: Provenance | null = null,
    carried: CarriedByAxes | null = null,
  ) {
    super(axis, type, provenance, carried);
    this.counts = numbers.counts;
    this.underflow = numbers.flow?.underflow ?? null;
    this.overflow = numbers.flow?.overflow ?? null;
    this.nan = numbers.flow?.nan ?? null;
    this.sums = numbers.sums;
    this.flowSums = numbers.flowSums;
    this.sumsOfSquares = numbers.sumsOfSquares;
    this.flowSumsOfSquares = numbers.flowSumsOfSquares;
    this.limbs = numbers.limbs;
    this.limbsOfSquares = numbers.limbsOfSquares;
    this.masked = checkedMasked(numbers.masked ?? 0);
  }

  /** `underflow`, `overflow` and `nan` in one object. */
  get flow(): Flow | null {
    const { underflow, overflow, nan } = this;
    return underflow === null || overflow === null || nan === null ? null : { underflow, overflow, nan };
  }

  /** @internal */
  static of(cells: Cells, made: Made = NOT_MADE): WeightedHistogram {
    const [counts, sums, squares] = oneAxis(cells);
    const numbers = {
      counts: counts?.bins ?? null,
      flow: counts?.flow ?? null,
      sums: sums!.bins,
      flowSums: sums!.flow,
      sumsOfSquares: squares?.bins ?? null,
      flowSumsOfSquares: squares?.flow ?? null,
      limbs: made.limbs,
      limbsOfSquares: made.limbsOfSquares,
      masked: cells.masked,
    };
    return new WeightedHistogram(cells.axes[0]!, cells.types[0]!, numbers, made.provenance, cells.carried);
  }

  get storage(): Storage {
    return SUMS;
  }
  get rows(): Rows {
    const { counts, flow, sums, flowSums, sumsOfSquares, flowSumsOfSquares } = this;
    return [
      counts && flow && cellsOf(counts, flow),
      cellsOf(sums, flowSums),
      sumsOfSquares && flowSumsOfSquares && cellsOf(sumsOfSquares, flowSumsOfSquares),
    ];
  }
  protected get content(): Float64Array {
    return this.sums;
  }
  protected override get notes(): Record<string, UhiScalar | undefined> {
    return { limbs: this.limbs ?? undefined, limbsOfSquares: this.limbsOfSquares ?? undefined };
  }

  /**
   * Returns the histogram of both inputs together, with this one's metadata. Neither input is changed. Counts are
   * exact. Sums are added as doubles, each rounded once. The order of two inputs does not matter; the order of more
   * may change the last bit. To get the same bits for every partition of the samples, weigh them in one call. Counts
   * or squares that only one input has are null in the result.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_LIMIT if a count would not be exact, or a sum not finite.
   */
  merge(other: WeightedHistogram): WeightedHistogram {
    return WeightedHistogram.of(combine(this, checked(other), "sum"));
  }

  /**
   * Returns the histogram without the samples of the other one, which must be among those of this one: the counts, the
   * sums and the sums of squares are differences. A sum of squares that rounding makes negative is 0.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: WeightedHistogram): WeightedHistogram {
    return WeightedHistogram.of(combine(this, checked(other), "difference"));
  }

  /**
   * Joins neighbouring bins, as `Histogram.rebin` does. Sums are compensated for rounding (Neumaier).
   * @throws as `Histogram.rebin`; ERR_LIMIT also if a sum would not be finite.
   */
  rebin(by: Rebinning): WeightedHistogram {
    return WeightedHistogram.of(rebin(this, { 0: by }));
  }

  /**
   * Keeps some of the bins, as `Histogram.slice` does.
   * @throws as `Histogram.slice`; ERR_LIMIT also if a sum would not be finite.
   */
  slice(first: number, end?: number): WeightedHistogram;
  slice(between: EdgeSpan): WeightedHistogram;
  slice(first: number | EdgeSpan, end?: number): WeightedHistogram {
    return WeightedHistogram.of(slice(this, this.sliceOf(first, end)));
  }

  /** Returns the bins in the words of d3, each with its sum of weights. `length` is null if counts are not known. */
  entries(): WeightedBin[] {
    const { counts, sums, edges } = this;
    return Array.from(sums, (sum, i) => ({
      x0: edges[i]!,
      x1: edges[i + 1]!,
      length: counts && counts[i]!,
      sum,
    }));
  }

  /**
   * Returns mean and variance of the weights in each bin, which boost-histogram calls a profile. NaN: a bin without
   * samples has no mean, and one with a single sample no variance.
   * @throws ERR_INPUT unless counts and sums of squares are known: request them with `squares: true`.
   */
  profile(): MeanHistogram {
    return new MeanHistogram(meansOf(this));
  }

  /**
   * Reads sums of weights: a histogram of weighted or double storage in UHI's schema. In contrast to
   * `Histogram.fromJSON`, doubles that could be counts are read as sums. Counts are known if `toJSON` wrote the file.
   * @throws as `Histogram.fromJSON`.
   * @throws ERR_UNSUPPORTED for other storages.
   */
  declare static fromJSON: (json: unknown) => WeightedHistogram;
}

function checked(other: unknown): WeightedHistogram {
  if (other instanceof WeightedHistogram) return other;
  throw expected("ERR_INPUT", "other", "a WeightedHistogram", other);
}

/** How sums were made. */
interface Made extends Pick<WeightedNumbers, "limbs" | "limbsOfSquares"> {
  readonly provenance: Provenance | null;
}

const NOT_MADE: Made = { limbs: null, limbsOfSquares: null, provenance: null };
