import type { Axis } from "../axis.ts";
import type { DeviceTimings } from "../backend.ts";
import type { Flow } from "../binned.ts";
import { PolybinError } from "../errors.ts";
import { BYTE_VALUES, FEATURE_BINS_MIN, FLOW_ROWS, STREAM_CHUNK } from "../limits.ts";
import { type Lowering, lowerInto, NAN, OVERFLOW, UNDERFLOW } from "../lowering.ts";
import { checkNames } from "../names.ts";
import { type AxisOptions, checkAxisOptions } from "../range.ts";
import { runs, type Samples } from "../samples.ts";
import { Turns } from "../turns.ts";
import { addSums, type BinSums, noSums } from "./bin-sums.ts";
import { mergeFeature } from "./merge.ts";
import { checkWeighting, WEIGHTING_NAMES, type WeightingOptions } from "./options.ts";
import type { WeightedPlan } from "./plan.ts";
import { planOn, type TableHost } from "./table-host.ts";
import { type Weighed, WeightedHistogram } from "./weighted-histogram.ts";
import {
  checkedWeights,
  quantumOf,
  type ScaledWeights,
  scaledWeights,
  unscaled,
  type Weights,
} from "./weights.ts";

/** What `histogram` may be told where its samples have weights. */
export interface WeightedHistogramOptions extends WeightingOptions, AxisOptions {
  /** One a pixel, finite; 32-bit floats, or rounded to such. */
  readonly weights: Weights;
}

/** The options of a weighted call, every name and simple value checked. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkWeightedOptions<T extends WeightedHistogramOptions>(options: T): T {
  checkNames(options, ["channel", "weights", "axis", "bins", "range", ...WEIGHTING_NAMES]);
  checkWeighting(options);
  checkAxisOptions(options);
  if (options.algorithm === "weighted-hybrid") {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      "weighted-hybrid chooses by a first round over a table's features: name another algorithm, or make a table",
      { algorithm: options.algorithm },
    );
  }
  return options;
}

/** The samples of a weighted call and how they find their bins. */
export interface Weighing {
  readonly samples: Samples;
  readonly channel: number;
  readonly axis: Axis;
  readonly lowering: Lowering;
  /** Checked: one a pixel. */
  readonly weights: Float32Array;
}

/**
 * Samples become the values of a table of one feature, piece by piece, and the device adds their weights up. What is in
 * no bin is added up here, on the way.
 */
export async function weigh(
  { samples, channel, axis, lowering, weights }: Weighing,
  options: WeightedHistogramOptions,
  host: TableHost,
): Promise<Weighed> {
  const start = performance.now();
  const { precision = "reproducible", squares = false, algorithm = "auto", signal, onProgress } = options;
  const { buffer, unroll, warps } = options;
  const first = scaledWeights(weights, precision, 1);
  const second = squares ? scaledWeights(weights, precision, 2) : null;
  // A table has two bins at least; where the axis has one, the other stays empty.
  const bins = Math.max(FEATURE_BINS_MIN, axis.bins);
  const type = bins <= BYTE_VALUES ? "u8" : "u16";
  const shape = { type, bins, features: 1, precision, counts: true, squares, buffer, unroll, warps } as const;
  const planFor = (documents: number) =>
    planOn(host, algorithm === "weighted-hybrid" ? "auto" : algorithm, { ...shape, documents });
  const plan = planFor(Math.min(samples.pixels, STREAM_CHUNK));
  const inside = noSums(bins, { counts: true, squares });
  const outside = noSums(FLOW_ROWS, { counts: true, squares });
  const timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  const turns = new Turns(signal);

  let done = 0;
  for (const piece of pieces(samples, channel, axis.bins, lowering, first, second, outside)) {
    if (piece.weights.length > 0)
      await addPiece(piece, planFor(piece.weights.length), inside, timings, host, signal);
    done += piece.pixels;
    onProgress?.({ done, total: samples.pixels });
    await turns.next();
  }
  onProgress?.({ done, total: samples.pixels });

  const inBins = (of: Float64Array) => of.subarray(0, axis.bins).slice();
  const numbers = {
    counts: inBins(inside.counts!),
    flow: flowOf(outside.counts!),
    sums: unscaled(inBins(inside.sums), first.exponent),
    flowSums: flowOf(unscaled(outside.sums, first.exponent)),
    sumsOfSquares: second && unscaled(inBins(inside.squares!), second.exponent),
    flowSumsOfSquares: second && flowOf(unscaled(outside.squares!, second.exponent)),
    quantum: quantumOf(first, precision),
    quantumOfSquares: second && quantumOf(second, precision),
  };
  return new WeightedHistogram(axis, samples.type, numbers, {
    backend: host.backend,
    device: host.device.name,
    algorithm: plan.algorithm,
    plan,
    timings: { ...timings, totalMs: performance.now() - start },
  }) as Weighed;
}

/** The samples of a piece that are in a bin. */
interface Piece {
  /** Pixels that it was made of. */
  readonly pixels: number;
  readonly values: Uint8Array | Uint16Array;
  readonly weights: Int32Array | Float32Array;
  readonly squares: Int32Array | Float32Array | null;
}

/** Gathers samples that are in bins, a piece at a time, and adds up those that are not. */
function* pieces(
  samples: Samples,
  channel: number,
  bins: number,
  lowering: Lowering,
  { values: weights }: ScaledWeights,
  squares: ScaledWeights | null,
  outside: BinSums,
): Generator<Piece> {
  const most = Math.min(samples.pixels, STREAM_CHUNK);
  const codes = new Uint32Array(most);
  const numbers = () => (weights instanceof Int32Array ? new Int32Array(most) : new Float32Array(most));
  const values = bins <= BYTE_VALUES ? new Uint8Array(most) : new Uint16Array(most);
  const [own, ownSquares] = [numbers(), squares === null ? null : numbers()];
  let pixel = 0;
  let from = 0;
  let count = 0;
  const piece = (): Piece => ({
    pixels: pixel - from,
    values: values.slice(0, count),
    weights: own.slice(0, count),
    squares: ownSquares?.slice(0, count) ?? null,
  });
  for (const run of runs(samples, most)) {
    const found = lowerInto(lowering, run, channel, samples.channels, codes);
    if (pixel - from + found > most) {
      yield piece();
      [from, count] = [pixel, 0];
    }
    for (let i = 0; i < found; i++, pixel++) {
      const code = codes[i]!;
      if (code < bins) {
        values[count] = code;
        own[count] = weights[pixel]!;
        if (ownSquares !== null) ownSquares[count] = squares!.values[pixel]!;
        count++;
      } else {
        const row = code - bins;
        outside.counts![row]!++;
        outside.sums[row]! += weights[pixel]!;
        if (squares !== null) outside.squares![row]! += squares.values[pixel]!;
      }
    }
  }
  yield piece();
}

async function addPiece(
  { values, weights, squares }: Piece,
  plan: WeightedPlan,
  to: BinSums,
  timings: { -readonly [name in keyof DeviceTimings]: number },
  { device }: TableHost,
  signal: AbortSignal | undefined,
): Promise<void> {
  const table = await device.uploadTable(
    {
      type: plan.type,
      features: 1,
      documents: values.length,
      bins: [plan.bins],
      bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
    },
    { signal },
  );
  try {
    const groups = [{ plan, features: [0], skip: [null] }];
    const part = await device.sums(
      { table, groups, weights, squares, documents: null, timed: false },
      { signal },
    );
    signal?.throwIfAborted();
    const totals = { documents: weights.length, sum: totalOf(weights), square: totalOf(squares) };
    const found = mergeFeature(part.features[0]!, plan, null, totals);
    addSums(to, found);
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) timings[name] += part.timings[name];
  } finally {
    await table.free();
  }
}

function flowOf(rows: Float64Array): Flow {
  return { underflow: rows[UNDERFLOW]!, overflow: rows[OVERFLOW]!, nan: rows[NAN]! };
}

/** Weights of so many pixels, as they are now. @throws ERR_INPUT */
export function weightsOf({ weights }: WeightedHistogramOptions, { pixels }: Samples): Float32Array {
  return checkedWeights(weights, pixels).slice();
}

function totalOf(values: Int32Array | Float32Array | null): number {
  let total = 0;
  if (values !== null) for (const value of values) total += value;
  return total;
}
