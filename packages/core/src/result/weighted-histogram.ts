import type { Axis } from "../axis/index.ts";
import { expected, PolybinError } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { WeightedPlan } from "../plan/index.ts";
import { Binned, checkSameAxis, exactSum, type Flow, type Provenance } from "./binned.ts";
import { isCount } from "./uhi/json.ts";
import { type Reading, readUhi } from "./uhi/read.ts";
import type { CarriedPair, UhiHistogram, UhiScalar, UhiSums, UhiWeightedSums } from "./uhi/schema.ts";
import { finite, writeRow } from "./uhi/write.ts";

/** The numbers of a weighted histogram. */
export interface WeightedNumbers {
  /** Samples in each bin, and in none; null where a file does not say. */
  readonly counts: Float64Array | null;
  readonly flow: Flow | null;
  readonly sums: Float64Array;
  readonly flowSums: Flow;
  readonly sumsOfSquares: Float64Array | null;
  readonly flowSumsOfSquares: Flow | null;
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;
}

/** A weighted histogram as an engine makes it: nothing in it is unknown but times that nobody asked for. */
export type Weighed = WeightedHistogram & {
  readonly [K in
    | ("counts" | "flow" | "underflow" | "overflow" | "nan")
    | ("backend" | "device" | "algorithm" | "plan")]: NonNullable<WeightedHistogram[K]>;
};

/**
 * Counts and sums of weights over an axis: NumPy's `histogram(samples, bins, weights=weights)`, and what is beside it.
 * `sum`, `density` and `cumulative` are of the sums.
 */
export class WeightedHistogram extends Binned<WeightedPlan> {
  /** Samples in each bin: exact. Null where they are not known, as of a file of another writer. */
  readonly counts: Float64Array | null;
  /** Samples below the first edge, above the last one, and that are no number; null like `counts`. */
  readonly underflow: number | null;
  readonly overflow: number | null;
  readonly nan: number | null;
  /**
   * Sums of the samples' weights: of the precision "reproducible" the exact sums, each rounded once to a double, the same
   * bits everywhere; of "fast" sums of 32-bit floats.
   */
  readonly sums: Float64Array;
  readonly flowSums: Flow;
  /**
   * Sums of the squares of their weights, the variances of the sums: each square rounded to a double, their sum exact and
   * rounded once. Null where they were not asked for.
   */
  readonly sumsOfSquares: Float64Array | null;
  readonly flowSumsOfSquares: Flow | null;
  /**
   * Limbs of 20 bits that the weights were cut into, each added up by itself: what exact sums cost. Null of the precision
   * "fast", and of what was merged.
   */
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;

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
  }

  /** `underflow`, `overflow` and `nan` together. */
  get flow(): Flow | null {
    const { underflow, overflow, nan } = this;
    return underflow === null || overflow === null || nan === null ? null : { underflow, overflow, nan };
  }

  protected override get outside(): readonly number[] {
    return [this.flowSums.underflow, this.flowSums.overflow, this.flowSums.nan];
  }

  /**
   * The histogram of both inputs together, with this one's metadata; neither is changed. Counts are exact. Sums are
   * added as doubles, each rounded once: the order of two does not matter, that of more may change the last bit. For the
   * same bits however samples are parted, weigh them in one call. What only one of both knows, counts or squares, is
   * not known of both: null.
   * @throws ERR_AXIS unless both have the same edges; ERR_LIMIT where a count would not be exact, or a sum not finite.
   */
  merge(other: WeightedHistogram): WeightedHistogram {
    if (!(other instanceof WeightedHistogram)) {
      throw expected("ERR_INPUT", "other", "a WeightedHistogram", other);
    }
    checkSameAxis(this, other);
    const numbers = {
      counts: addedBins(this.counts, other.counts, exactSum),
      flow: addedFlow(this.flow, other.flow, exactSum),
      sums: addedBins(this.sums, other.sums, finiteSum)!,
      flowSums: addedFlow(this.flowSums, other.flowSums, finiteSum)!,
      sumsOfSquares: addedBins(this.sumsOfSquares, other.sumsOfSquares, finiteSum),
      flowSumsOfSquares: addedFlow(this.flowSumsOfSquares, other.flowSumsOfSquares, finiteSum),
      limbs: null,
      limbsOfSquares: null,
    };
    return new WeightedHistogram(this.axis, this.type, numbers, null, this.carried);
  }

  /**
   * In UHI's histogram schema: weighted storage where there are sums of squares, which are its variances, else double
   * storage, with both flow bins. Counts and what belongs to NaN stand in `writer_info.polybin`.
   * @throws ERR_UNSUPPORTED where a number is not finite, which JSON cannot say.
   */
  toJSON(): UhiHistogram<UhiSums | UhiWeightedSums> {
    const { counts, flow, sumsOfSquares, flowSumsOfSquares, limbs, limbsOfSquares } = this;
    const values = writeRow("sums", this.sums, this.flowSums);
    const nanSum = finite("flowSums.nan", this.flowSums.nan);
    const own: Record<string, UhiScalar> = { weighted: true, nanSum };
    if (limbs !== null) own.limbs = limbs;
    if (counts !== null && flow !== null) {
      own.nan = flow.nan;
      // The schema has scalars here, no arrays.
      own.counts = writeRow("counts", counts, flow).join(" ");
    }
    if (sumsOfSquares === null || flowSumsOfSquares === null) {
      return this.written({ type: "double", values }, own);
    }
    own.nanSumOfSquares = finite("flowSumsOfSquares.nan", flowSumsOfSquares.nan);
    if (limbsOfSquares !== null) own.limbsOfSquares = limbsOfSquares;
    const variances = writeRow("sumsOfSquares", sumsOfSquares, flowSumsOfSquares);
    return this.written({ type: "weighted", values, variances }, own);
  }

  /**
   * Reads sums of weights: a histogram of weighted or double storage in UHI's schema, as `Histogram.fromJSON` does, but
   * doubles that might be counts are sums, too. Counts are known of what `toJSON` wrote.
   * @throws as `Histogram.fromJSON`; ERR_UNSUPPORTED for other storages.
   */
  static fromJSON(json: unknown): WeightedHistogram {
    const reading = readUhi(json);
    if (reading.type === "weighted" || reading.type === "double") return weightedOf(reading);
    throw expected(
      "ERR_UNSUPPORTED",
      "storage.type",
      "weighted or double, for others there is Histogram.fromJSON,",
      reading.type,
    );
  }
}

/** What was read of weighted or double storage. @throws ERR_INPUT where our own notes are wrong. */
export function weightedOf({ axis, samples, rows, nan, own, prefix, carried }: Reading): WeightedHistogram {
  const name = `${prefix}writer_info.polybin`;
  const number = (key: string, otherwise: number | null) => numberOf(own[key], `${name}.${key}`, otherwise);
  const { values, variances = null } = rows;
  const counts = countsOf(own.counts, `${name}.counts`, axis.bins);
  const numbers = {
    counts: counts && binsOf(counts),
    flow: counts && flowOf(counts, nan),
    sums: binsOf(values!),
    flowSums: flowOf(values!, number("nanSum", 0)!),
    sumsOfSquares: variances && binsOf(variances),
    flowSumsOfSquares: variances && flowOf(variances, number("nanSumOfSquares", 0)!),
    limbs: number("limbs", null),
    limbsOfSquares: number("limbsOfSquares", null),
  };
  return new WeightedHistogram(axis, samples, numbers, null, carried);
}

function binsOf(row: Float64Array): Float64Array {
  return row.slice(1, -1);
}

function flowOf(row: Float64Array, nan: number): Flow {
  return { underflow: row[0]!, overflow: row[row.length - 1]!, nan };
}

function numberOf(value: unknown, name: string, otherwise: number | null): number | null {
  if (value === undefined) return otherwise;
  if (!Number.isFinite(value)) throw expected("ERR_INPUT", name, "a finite number", value);
  return value as number;
}

/** Counts as `toJSON` notes them, flow bins included. */
function countsOf(noted: unknown, name: string, bins: number): Float64Array | null {
  if (noted === undefined) return null;
  if (typeof noted === "string" && /^\d+( \d+)*$/.test(noted)) {
    const counts = Float64Array.from(noted.split(" "), Number);
    if (counts.length === bins + 2 && counts.every(isCount)) return counts;
  }
  throw expected("ERR_INPUT", name, `${bins + 2} whole numbers with spaces between them`, noted);
}

type Add = (a: number, b: number) => number;

function addedBins(a: Float64Array | null, b: Float64Array | null, add: Add): Float64Array | null {
  return a && b && a.map((value, i) => add(value, b[i]!));
}

function addedFlow(a: Flow | null, b: Flow | null, add: Add): Flow | null {
  return (
    a &&
    b && {
      underflow: add(a.underflow, b.underflow),
      overflow: add(a.overflow, b.overflow),
      nan: add(a.nan, b.nan),
    }
  );
}

/** @throws ERR_LIMIT where a double does not hold the sum. */
function finiteSum(a: number, b: number): number {
  const sum = a + b;
  if (Number.isFinite(sum)) return sum;
  throw new PolybinError("ERR_LIMIT", `expected merged sums that are finite but received ${a} + ${b}`);
}
