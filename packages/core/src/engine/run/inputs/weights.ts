import { kindsOf } from "../../../backend/index.ts";
import { expected, isPolybinError, PolybinError } from "../../../base/index.ts";
import { channelsOf, RunReader, SAMPLE_TRAITS, type Samples, type SampleType } from "../../../input/index.ts";
import {
  checkAddends,
  checkSquares,
  givenWeights,
  largest,
  ownWeights,
  WEIGHT_COLUMNS,
  type Weights,
} from "../../../weights/index.ts";
import type { OpenBackend } from "../../opened/open-backend.ts";
import type { GivenWeights } from "../../options/selection-options.ts";
import type { WeightingOptions } from "../../options/weighting-options.ts";
import { broughtHome, inMemory } from "../../samples/in-memory.ts";
import { type Described, describedInput } from "./described.ts";
import type { OpenInput } from "./inputs.ts";
import type { Sums } from "./request.ts";
import type { Piece } from "./selection.ts";

/** The weights of a piece: 32-bit floats as they are, and other numbers as doubles. */
export type PieceOfWeights = Float32Array | Float64Array;

/** A column of weights of a call. */
export interface OpenWeights {
  /** Its name in errors. */
  readonly name: string;
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

/** Returns true for a list of columns. A list of numbers is a column itself. */
export function isWeightList(given: unknown): given is readonly GivenWeights[] {
  return Array.isArray(given) && given.some((one) => typeof one === "object" && one !== null);
}

/** Returns the columns of weights that a caller passed. */
export function weightColumns(
  given: GivenWeights | readonly GivenWeights[],
): Pick<Sums, "weights" | "isList"> {
  const isList = isWeightList(given);
  return { weights: isList ? [...given] : [given as GivenWeights], isList };
}

/** @param columns their number @throws ERR_INPUT, ERR_LIMIT */
export function checkWeightColumns(columns: number): void {
  if (columns === 0) throw expected("ERR_INPUT", "weights", "at least one column", []);
  if (columns <= WEIGHT_COLUMNS) return;
  throw expected("ERR_LIMIT", "weights", `at most ${WEIGHT_COLUMNS} columns`, columns);
}

/** Opens the inputs of a call, which releases them when it ends. */
interface Opening {
  readonly open: (given: Described, name: string) => Promise<OpenInput>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Opens the weights of a call.
 * @throws ERR_INPUT, ERR_UNSUPPORTED, ERR_LIMIT
 */
export async function openWeights(
  opened: OpenBackend,
  { weights, isList, options, isPart = false }: Sums,
  samples: number | null,
  opening: Opening,
): Promise<readonly OpenWeights[]> {
  const all: OpenWeights[] = [];
  for (const [k, given] of weights.entries()) {
    const how = { ...options, isPart, name: isList ? `weights[${k}]` : "weights" };
    try {
      all.push(
        isArray(given) ? ofGiven(opened, given, samples, how) : await ofInput(opened, given, how, opening),
      );
    } catch (error) {
      throw named(error, how.name);
    }
  }
  return all;
}

/** Returns an error of an input that says which one it is. */
function named(error: unknown, name: string): unknown {
  if (!isPolybinError(error) || error.message.includes(name)) return error;
  const { code, message, backend, algorithm, cause = error } = error;
  return new PolybinError(code, `${name}: ${message}`, { backend, algorithm, cause });
}

/** Returns true for what is read as an array, or refused as one. */
function isArray(given: unknown): given is Weights {
  return ArrayBuffer.isView(given) || Array.isArray(given) || typeof given !== "object" || given === null;
}

function ofGiven(opened: OpenBackend, given: Weights, samples: number | null, how: How): OpenWeights {
  const count = samples ?? given?.length;
  return kindsOf(opened.device).includes("weighted")
    ? inPlace(given, count, how)
    : ofArray(ownWeights(given, count, how.name), how);
}

async function ofInput(
  opened: OpenBackend,
  given: Described | Exclude<GivenWeights, Weights>,
  how: How,
  { open, signal }: Opening,
): Promise<OpenWeights> {
  const { name } = how;
  const described = describedInput(given, name);
  const input = await open(described, name);
  if (input.type === "i64" || input.type === "u64") {
    throw expected("ERR_INPUT", name, "weights that a double holds", `weights of ${input.type}`);
  }
  const [channel] = channelsOf(
    input,
    described.channel === undefined ? "only" : { channel: described.channel },
  );
  if (!input.isRead) {
    const home = await broughtHome(opened, input.whole!.input, name, signal);
    return ofArray(finite(numbersOf(home, channel!, input.type), 0, name), how);
  }
  let read = 0;
  const of = (piece: Piece) => {
    const { input: from } = piece.of(input);
    const weights = finite(numbersOf(inMemory(opened, from, name), channel!, input.type), piece.first, name);
    if (how.squares) checkSquares(weights, name);
    read += weights.length;
    if (how.precision !== "fast") checkAddends(read);
    return weights;
  };
  return {
    name,
    input,
    total: input.total,
    most: null,
    of,
    given: of,
  };
}

/** How weights are added up, and their name in errors. */
type How = Pick<WeightingOptions, "squares" | "precision"> &
  Pick<Required<Sums>, "isPart"> &
  Pick<OpenWeights, "name">;

function ofArray(all: PieceOfWeights, { squares, precision, isPart, name }: How): OpenWeights {
  if (precision !== "fast") checkAddends(all.length);
  if (squares) checkSquares(all, name);
  const of = (piece: Piece) => partOf(all, piece);
  return { name, input: null, total: all.length, most: isPart ? null : largest(all), of, given: of };
}

/** Reads an array where it lies. It is copied and checked only for what does not look at each weight. */
function inPlace(given: unknown, samples: number, how: How): OpenWeights {
  const { name } = how;
  const all = givenWeights(given, samples, name);
  let checked: OpenWeights | null = null;
  const own = () => {
    checked ??= ofArray(ownWeights(given, samples, name), how);
    return checked;
  };
  // A double holds the square of every 32-bit float.
  if (how.squares && all instanceof Float64Array) own();
  else if (how.precision !== "fast") checkAddends(samples);
  return {
    name,
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
function finite(weights: PieceOfWeights, first: number, name: string): PieceOfWeights {
  if (Number.isFinite(largest(weights))) return weights;
  const infinite = weights.findIndex((weight) => !Number.isFinite(weight));
  throw expected("ERR_INPUT", `${name}[${first + infinite}]`, "a finite number", weights[infinite]);
}

/** @throws ERR_INPUT unless there is one weight per sample */
export function checkWeightCount({ name, total }: OpenWeights, samples: number): void {
  if (total === null || total === samples) return;
  throw expected("ERR_INPUT", `${name}.length`, `${samples}, one per sample,`, total);
}
