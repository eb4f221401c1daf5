import {
  type Axis,
  type AxisOptions,
  type CountedAs,
  checkAxisOptions,
  checkNoRule,
} from "../../axis/index.ts";
import { BYTE_VALUES, checkNames, checkSwitch, PolybinError, Turns } from "../../base/index.ts";
import type { Samples, SampleType } from "../../input/index.ts";
import { FEATURE_BINS_MIN } from "../../input/index.ts";
import { type Lowering, NAN, OVERFLOW, UNDERFLOW } from "../../lowering/index.ts";
import type { SumsPlan } from "../../plan/index.ts";
import { type DeviceTimings, type Flow, type Weighed, WeighedHistogram } from "../../result/index.ts";
import {
  checkAddends,
  checkFinite,
  checkSquares,
  largest,
  ownWeights,
  WEIGHED_SAMPLES,
  type Weights,
} from "../../weights/index.ts";
import type { Host } from "../host.ts";
import { parametersAmong } from "../parameters.ts";
import { planOn, type TableHost } from "../table/host.ts";
import {
  checkWeighting,
  isComposedSlug,
  type WeightingOptions,
  weightingNames,
} from "../weighting-options.ts";
import type { Added, Adder } from "./adder.ts";
import { ExactAdder } from "./exact-adder.ts";
import { FloatAdder } from "./float-adder.ts";
import { PieceTable } from "./piece-table.ts";
import { type Piece, pieces } from "./pieces.ts";

/** Options of `histogram` for samples with weights. */
export type WeightedHistogramOptions = WeightingOptions &
  AxisOptions & {
    /** One finite weight per pixel. A Float32Array is read as 32-bit floats, other arrays as doubles. */
    readonly weights: Weights;
    /** Whether to measure how long the call takes. Otherwise the result's `timings` are null. Default: false. */
    readonly timings?: boolean | undefined;
  };

/** Checks every name and simple value in the options of a weighted call. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkWeightedOptions<T extends WeightedHistogramOptions>(options: T, host: Host): T {
  checkNames(options, [
    "channel",
    "weights",
    "axis",
    "bins",
    "range",
    "nice",
    "timings",
    ...weightingNames(host),
  ]);
  checkWeighting(options, host);
  checkAxisOptions(options);
  checkNoRule(options);
  checkSwitch(options.timings, "timings");
  const { algorithm = "auto" } = options;
  if (isComposedSlug(algorithm, host)) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `${algorithm} measures a table's features before it chooses: name another algorithm, or use engine.table`,
      { algorithm },
    );
  }
  return options;
}

/** The samples of a weighted call and how they find their bins. */
export interface Weighing {
  readonly samples: Samples;
  /** Type of the caller's samples. */
  readonly type: SampleType;
  readonly channel: number;
  readonly axis: Axis;
  readonly lowering: Lowering;
  readonly counted: CountedAs;
  /** One checked weight per pixel. */
  readonly weights: Float32Array | Float64Array;
}

/** Pieces of samples and their weights. */
export interface Addition {
  readonly pieces: Iterable<Piece>;
  /** Number of samples of all pieces. */
  readonly samples: number;
  /** Number of bins that the values of the pieces have. */
  readonly bins: number;
  /** All weights, of the samples in any order. */
  readonly weights: Float32Array | Float64Array;
}

/** The sums of pieces, and how they were made. */
export interface Addend {
  readonly added: Added;
  readonly plan: SumsPlan;
  readonly timings: DeviceTimings;
}

/**
 * Adds up the weights of pieces. Each piece becomes a table of one feature, and the device adds up its weights, one
 * limb at a time. Samples outside all bins are added up on the host.
 * @throws ERR_LIMIT if a double cannot hold a sum, or the square of a weight.
 */
export async function addUp(of: Addition, options: WeightingOptions, host: TableHost): Promise<Addend> {
  const { samples, weights } = of;
  const { precision = "reproducible", squares = false, algorithm = "auto", signal, onProgress } = options;
  const parameters = parametersAmong(options, host.weightedParameters);
  // A table has at least two bins. If the axis has one, the second stays empty.
  const bins = Math.max(FEATURE_BINS_MIN, of.bins);
  const type = bins <= BYTE_VALUES ? "u8" : "u16";
  const shape = { type, bins, features: 1, precision, parameters } as const;
  const planFor = (documents: number, counts: boolean) =>
    planOn(host, algorithm, {
      ...shape,
      documents,
      counts,
      // Exact squares are added up separately, like weights.
      squares: squares && precision === "fast",
    });
  const adder = adderOf(bins, weights, samples, options);
  const plan = planFor(Math.min(samples, WEIGHED_SAMPLES), true);
  const timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  const turns = new Turns(signal);
  let done = 0;
  for (const piece of of.pieces) {
    const table = new PieceTable(piece.values, host.device, signal);
    const planned = (counts: boolean) => planFor(piece.values.length, counts);
    try {
      await adder.add(piece, (addends) => table.add(addends, planned(addends.counts), timings));
    } finally {
      await table.free();
    }
    done += piece.pixels;
    onProgress?.({ done, total: samples });
    await turns.next();
  }
  onProgress?.({ done, total: samples });
  return { added: adder.added(), plan, timings };
}

/** @throws ERR_LIMIT if a double cannot hold a sum, or the square of a weight */
export function adderOf(
  bins: number,
  weights: Float32Array | Float64Array,
  samples: number,
  { precision = "reproducible", squares = false }: WeightingOptions,
): Adder {
  if (precision === "reproducible") checkAddends(samples);
  if (squares) checkSquares(weights);
  return new (precision === "fast" ? FloatAdder : ExactAdder)(bins, largest(weights), squares);
}

/** Adds up the weights of samples. @throws ERR_LIMIT if a double cannot hold a sum, or the square of a weight */
export async function weigh(
  { samples, type: sampleType, channel, axis, lowering, counted, weights }: Weighing,
  options: WeightedHistogramOptions,
  host: TableHost,
): Promise<Weighed> {
  const start = performance.now();
  const of = {
    pieces: pieces({ samples, channel, bins: axis.bins, lowering, counted, weights }),
    samples: samples.pixels,
    bins: axis.bins,
    weights,
  };
  const { added, plan, timings } = await addUp(of, options, host);
  const bins = Math.max(FEATURE_BINS_MIN, axis.bins);
  const { counts, sums, squares: sumsOfSquares, limbs, limbsOfSquares } = added;
  for (const of of [sums, sumsOfSquares]) checkFinite(of, bins, ["underflow", "overflow", "nan"]);
  const inBins = (of: Float64Array) => of.slice(0, axis.bins);
  const flowOf = (of: Float64Array) => flowIn(of.subarray(bins));
  const numbers = {
    counts: inBins(counts),
    flow: flowOf(counts),
    sums: inBins(sums),
    flowSums: flowOf(sums),
    sumsOfSquares: sumsOfSquares && inBins(sumsOfSquares),
    flowSumsOfSquares: sumsOfSquares && flowOf(sumsOfSquares),
    limbs,
    limbsOfSquares,
  };
  return new WeighedHistogram(axis, sampleType, numbers, {
    backend: host.backend,
    device: host.device.name,
    algorithm: plan.algorithm,
    plan,
    timings: options.timings ? { ...timings, totalMs: performance.now() - start } : null,
  }) as Weighed;
}

function flowIn(rows: Float64Array): Flow {
  return { underflow: rows[UNDERFLOW]!, overflow: rows[OVERFLOW]!, nan: rows[NAN]! };
}

/** Returns a copy of the weights, one per pixel. @throws ERR_INPUT */
export function weightsOf(
  { weights }: WeightedHistogramOptions,
  { pixels }: Samples,
): Float32Array | Float64Array {
  return ownWeights(weights, pixels);
}
