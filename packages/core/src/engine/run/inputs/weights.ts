import { kindsOf } from "../../../backend/index.ts";
import { expected } from "../../../base/index.ts";
import { channelsOf, RunReader, SAMPLE_TRAITS, type Samples, type SampleType } from "../../../input/index.ts";
import {
  checkAddends,
  checkSquares,
  givenWeights,
  largest,
  ownWeights,
  type Weights,
} from "../../../weights/index.ts";
import type { OpenBackend } from "../../opened/open-backend.ts";
import type { WeightingOptions } from "../../options/weighting-options.ts";
import { broughtHome, inMemory } from "../../samples/in-memory.ts";
import { type Described, describedInput } from "./described.ts";
import { type OpenInput, openInput } from "./inputs.ts";
import type { Sums } from "./request.ts";
import type { Piece } from "./selection.ts";

/** The weights of a piece: 32-bit floats as they are, and other numbers as doubles. */
export type PieceOfWeights = Float32Array | Float64Array;

/** The weights of a call. */
export interface OpenWeights {
  /** The input that the weights come from; null: a copy of an array. */
  readonly input: OpenInput | null;
  /** Number of weights; null if it is not known. */
  readonly total: number | null;
  /** The largest |weight|; null if it is not known before all are read. */
  readonly most: number | null;
  /** Returns the checked weights of a piece, copied if the caller may change them. @throws ERR_INPUT, ERR_LIMIT */
  of(piece: Piece): PieceOfWeights;
  /** Returns the weights of a piece where they lie. They may be infinite or NaN. @throws as `of` otherwise */
  given(piece: Piece): PieceOfWeights;
}

/**
 * Opens the weights of a call.
 * @throws ERR_INPUT, ERR_UNSUPPORTED, ERR_LIMIT
 */
export async function openWeights(
  opened: OpenBackend,
  { weights: given, options, isPart = false }: Sums,
  samples: number | null,
  signal: AbortSignal | undefined,
): Promise<OpenWeights> {
  const name = ArrayBuffer.isView(given) ? (given as ArrayBufferView).constructor.name : null;
  const isArray = name !== null || Array.isArray(given) || typeof given !== "object";
  const how = { ...options, isPart };
  if (isArray) {
    const count = samples ?? (given as Weights).length;
    return kindsOf(opened.device).includes("weighted")
      ? inPlace(given, count, how)
      : ofArray(ownWeights(given, count), how);
  }
  const described = describedInput(given as Described, "weights");
  const input = await openInput(opened, described, "weights", signal);
  const isKnown = input.type !== "i64" && input.type !== "u64";
  if (!isKnown) {
    await input.end();
    throw expected("ERR_INPUT", "weights", "weights that a double holds", `weights of ${input.type}`);
  }
  const [channel] = channelsOf(
    input,
    described.channel === undefined ? "only" : { channel: described.channel },
  );
  if (!input.isRead) {
    const home = await broughtHome(opened, input.whole!.input, "weights", signal);
    return ofArray(finite(numbersOf(home, channel!, input.type), 0), how);
  }
  let read = 0;
  const of = (piece: Piece) => {
    const { input: from } = piece.of(input);
    const weights = finite(numbersOf(inMemory(opened, from, "weights"), channel!, input.type), piece.first);
    if (options.squares) checkSquares(weights);
    read += weights.length;
    if (options.precision !== "fast") checkAddends(read);
    return weights;
  };
  return {
    input,
    total: input.total,
    most: null,
    of,
    given: of,
  };
}

/** How weights are added up. */
type How = Pick<WeightingOptions, "squares" | "precision"> & Pick<Required<Sums>, "isPart">;

function ofArray(all: PieceOfWeights, { squares, precision, isPart }: How): OpenWeights {
  if (precision !== "fast") checkAddends(all.length);
  if (squares) checkSquares(all);
  const of = (piece: Piece) => partOf(all, piece);
  return { input: null, total: all.length, most: isPart ? null : largest(all), of, given: of };
}

/** Reads an array where it lies. It is copied and checked only for what does not look at each weight. */
function inPlace(given: unknown, samples: number, how: How): OpenWeights {
  const all = givenWeights(given, samples);
  let checked: OpenWeights | null = null;
  const own = () => {
    checked ??= ofArray(ownWeights(given, samples), how);
    return checked;
  };
  // A double holds the square of every 32-bit float.
  if (how.squares && all instanceof Float64Array) own();
  else if (how.precision !== "fast") checkAddends(samples);
  return {
    input: null,
    total: samples,
    get most() {
      return own().most;
    },
    of: (piece) => own().of(piece),
    given: (piece) => partOf(all, piece),
  };
}

function partOf(all: PieceOfWeights, { first, pixels, isWhole }: Piece): PieceOfWeights {
  return isWhole ? all : all.subarray(first, first + pixels);
}

/** Returns one channel of samples as floats. @param type what the samples are; a device may hold their bits */
function numbersOf(of: Samples, channel: number, type: SampleType): PieceOfWeights {
  const { valueOfBits } = SAMPLE_TRAITS[type];
  const Numbers = SAMPLE_TRAITS[of.type].bytes === 4 && of.type === "f32" ? Float32Array : Float64Array;
  const out = new Numbers(of.pixels);
  new RunReader(of).each(0, of.pixels, (array, at, count, done) => {
    let to = done;
    for (let i = at + channel; i < at + count; i += of.channels) {
      out[to++] = valueOfBits?.(array[i]!) ?? array[i]!;
    }
  });
  return out;
}

/** @throws ERR_INPUT for a weight that is not finite. @param first the number of the first one */
function finite(weights: PieceOfWeights, first: number): PieceOfWeights {
  if (Number.isFinite(largest(weights))) return weights;
  const infinite = weights.findIndex((weight) => !Number.isFinite(weight));
  throw expected("ERR_INPUT", `weights[${first + infinite}]`, "a finite number", weights[infinite]);
}

/** @throws ERR_INPUT unless there is one weight per sample */
export function checkWeightCount({ total }: OpenWeights, samples: number): void {
  if (total === null || total === samples) return;
  throw expected("ERR_INPUT", "weights.length", `${samples}, one per sample,`, total);
}
