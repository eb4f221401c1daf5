import { type Axis, NAN, OVERFLOW, UNDERFLOW } from "../axis/index.ts";
import { expected, FLOW_ROWS } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { WeightedPlan } from "../plan/index.ts";
import {
  type Bin,
  Binned,
  type Combine,
  checkedMasked,
  checkSameAxis,
  exactDifference,
  exactSum,
  type Flow,
  type Provenance,
} from "./binned.ts";
import { type EdgeSpan, type Rebinning, type Regrouped, rebinned, sliced } from "./regroup.ts";
import { finiteDifference, finiteSum, notNegativeDifference } from "./sums.ts";
import type { CarriedPair, UhiHistogram, UhiScalar, UhiSums, UhiWeightedSums } from "./uhi/schema.ts";
import { finite, writeRow } from "./uhi/write.ts";
import { type Profile, profileOf } from "./weighted-profile.ts";

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
export class WeightedHistogram extends Binned<WeightedPlan> {
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
   * separately. Null for the precision "fast", and for merged results.
   */
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;
  /** Number of samples that a mask left out. The other numbers do not include them. */
  readonly masked: number;

  constructor(
    axis: Axis,
    type: SampleType,
    numbers: WeightedNumbers,
    provenance: Provenance<WeightedPlan> | null = null,
    carried?: CarriedPair,
  ) {
    super(axis, type, numbers.sums, provenance, carried);
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

  protected override get outside(): readonly number[] {
    return [this.flowSums.underflow, this.flowSums.overflow, this.flowSums.nan];
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
    return this.#with(other, exactSum, finiteSum, finiteSum);
  }

  /**
   * Returns the histogram without the samples of the other one, which must be among those of this one: the counts, the
   * sums and the sums of squares are differences. A sum of squares that rounding makes negative is 0.
   * @throws ERR_AXIS unless both have the same edges.
   * @throws ERR_INPUT if a count would be negative.
   */
  subtract(other: WeightedHistogram): WeightedHistogram {
    return this.#with(other, exactDifference, finiteDifference, notNegativeDifference);
  }

  /**
   * Joins neighbouring bins, as `Histogram.rebin` does. Sums are added as doubles.
   * @throws as `Histogram.rebin`; ERR_LIMIT also if a sum would not be finite.
   */
  rebin(by: Rebinning): WeightedHistogram {
    return this.#regrouped(rebinned(this.axis, this.type, by));
  }

  /**
   * Keeps some of the bins, as `Histogram.slice` does.
   * @throws as `Histogram.slice`; ERR_LIMIT also if a sum would not be finite.
   */
  slice(first: number, end?: number): WeightedHistogram;
  slice(between: EdgeSpan): WeightedHistogram;
  slice(first: number | EdgeSpan, end?: number): WeightedHistogram {
    return this.#regrouped(
      sliced(this.axis, this.type, typeof first === "number" ? [first, end ?? this.bins] : first),
    );
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
  profile(): Profile {
    return profileOf(this);
  }

  #with(other: WeightedHistogram, counts: Combine, sums: Combine, squares: Combine): WeightedHistogram {
    if (!(other instanceof WeightedHistogram)) {
      throw expected("ERR_INPUT", "other", "a WeightedHistogram", other);
    }
    checkSameAxis(this, other);
    const numbers = {
      counts: combinedBins(this.counts, other.counts, counts),
      flow: combinedFlow(this.flow, other.flow, counts),
      sums: combinedBins(this.sums, other.sums, sums)!,
      flowSums: combinedFlow(this.flowSums, other.flowSums, sums)!,
      sumsOfSquares: combinedBins(this.sumsOfSquares, other.sumsOfSquares, squares),
      flowSumsOfSquares: combinedFlow(this.flowSumsOfSquares, other.flowSumsOfSquares, squares),
      limbs: null,
      limbsOfSquares: null,
      masked: counts(this.masked, other.masked),
    };
    return new WeightedHistogram(this.axis, this.type, numbers, null, this.carried);
  }

  #regrouped(to: Regrouped): WeightedHistogram {
    const of = (bins: Float64Array | null, flow: Flow | null, add: Combine) =>
      bins && flow && regrouped(to, [...bins, flow.underflow, flow.overflow, flow.nan], add);
    const counts = of(this.counts, this.flow, exactSum);
    const sums = of(this.sums, this.flowSums, finiteSum)!;
    const squares = of(this.sumsOfSquares, this.flowSumsOfSquares, finiteSum);
    const numbers = {
      counts: counts?.bins ?? null,
      flow: counts?.flow ?? null,
      sums: sums.bins,
      flowSums: sums.flow,
      sumsOfSquares: squares?.bins ?? null,
      flowSumsOfSquares: squares?.flow ?? null,
      limbs: null,
      limbsOfSquares: null,
      masked: this.masked,
    };
    return new WeightedHistogram(to.axis, this.type, numbers, null, this.carried);
  }

  /**
   * Writes UHI's histogram schema, with both flow bins: weighted storage if there are sums of squares, which are its
   * variances, otherwise double storage. Counts and the numbers of NaN go to `writer_info.polybin`.
   * @throws ERR_UNSUPPORTED if a number is not finite, which JSON cannot represent.
   */
  toJSON(): UhiHistogram<UhiSums | UhiWeightedSums> {
    const { counts, flow, sumsOfSquares, flowSumsOfSquares, limbs, limbsOfSquares } = this;
    const values = writeRow(this.axis, "sums", this.sums, this.flowSums);
    const nanSum = finite("flowSums.nan", this.flowSums.nan);
    const own: Record<string, UhiScalar> = { weighted: true, nanSum };
    // The schema has no underflow of a circle.
    const isCircle = this.axis.type === "circular";
    if (isCircle) own.underflowSum = finite("flowSums.underflow", this.flowSums.underflow);
    if (this.masked > 0) own.masked = this.masked;
    if (limbs !== null) own.limbs = limbs;
    if (counts !== null && flow !== null) {
      own.nan = flow.nan;
      // The schema allows only scalars here.
      own.counts = [flow.underflow, ...counts, flow.overflow].join(" ");
    }
    if (sumsOfSquares === null || flowSumsOfSquares === null) {
      return this.written({ type: "double", values }, own);
    }
    if (isCircle) {
      own.underflowSumOfSquares = finite("flowSumsOfSquares.underflow", flowSumsOfSquares.underflow);
    }
    own.nanSumOfSquares = finite("flowSumsOfSquares.nan", flowSumsOfSquares.nan);
    if (limbsOfSquares !== null) own.limbsOfSquares = limbsOfSquares;
    const variances = writeRow(this.axis, "sumsOfSquares", sumsOfSquares, flowSumsOfSquares);
    return this.written({ type: "weighted", values, variances }, own);
  }

  /**
   * Reads sums of weights: a histogram of weighted or double storage in UHI's schema. In contrast to
   * `Histogram.fromJSON`, doubles that could be counts are read as sums. Counts are known if `toJSON` wrote the file.
   * @throws as `Histogram.fromJSON`.
   * @throws ERR_UNSUPPORTED for other storages.
   */
  declare static fromJSON: (json: unknown) => WeightedHistogram;
}

function combinedBins(a: Float64Array | null, b: Float64Array | null, combine: Combine): Float64Array | null {
  return a && b && a.map((value, i) => combine(value, b[i]!));
}

function combinedFlow(a: Flow | null, b: Flow | null, combine: Combine): Flow | null {
  return (
    a &&
    b && {
      underflow: combine(a.underflow, b.underflow),
      overflow: combine(a.overflow, b.overflow),
      nan: combine(a.nan, b.nan),
    }
  );
}

/** Adds up numbers by their new codes. @param numbers bins, underflow, overflow, NaN */
function regrouped({ axis, codes }: Regrouped, numbers: readonly number[], add: Combine) {
  const { bins } = axis;
  const to = new Float64Array(bins + FLOW_ROWS);
  for (const [code, number] of numbers.entries()) to[codes[code]!] = add(to[codes[code]!]!, number);
  const flow = { underflow: to[bins + UNDERFLOW]!, overflow: to[bins + OVERFLOW]!, nan: to[bins + NAN]! };
  return { bins: to.slice(0, bins), flow };
}
