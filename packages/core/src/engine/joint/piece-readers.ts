import { checkNames, expected, PolybinError } from "../../base/index.ts";
import {
  arrayOver,
  type ByteStream,
  channelsOf,
  checkedChannels,
  type FileInput,
  fileBytes,
  INPUT_TYPES,
  isByteStream,
  isFileInput,
  promisedBytes,
  RunReader,
  SAMPLE_TRAITS,
  type Samples,
  type SampleType,
  sourceOf,
  type TypedStream,
  typedStream,
  wholePixels,
} from "../../input/index.ts";
import { type Host, sourceIn } from "../host.ts";
import { type Column, columnFrom } from "./columns.ts";
import type { JointColumnInput, JointSource, StreamColumn } from "./options.ts";

/** A column that is read piece by piece, together with others. */
export interface PieceReader {
  readonly type: SampleType;
  /** Number of samples in total; null if it is not known. */
  readonly total: number | null;
  /** The column, if its data can be read more than once; null for a stream. */
  readonly whole: Column | null;
  /** Returns the number of samples that are ready. 0: the column has ended. */
  ready(): Promise<number>;
  /** Returns the next samples, at most those that are ready. They are valid until more are made ready. */
  take(samples: number): Column;
  /** Releases the stream. */
  end(): Promise<void>;
}

/** Returns true if a column is read piece by piece: a stream or a file. */
export function isPiecewise(given: JointColumnInput): boolean {
  return isByteStream(given) || describedStream(given) !== null || fileOf(given) !== null;
}

/** Returns the columns of a file with several channels, and other columns as they are. */
export function channelsOfFile(
  given: JointSource | readonly JointColumnInput[],
  channels: readonly number[] | undefined,
): readonly JointColumnInput[] | null {
  if (!isFileInput(given)) return null;
  return channelsOf(given, channels ?? "all").map((channel) => ({ input: given, channel }));
}

function fileOf(
  given: JointColumnInput,
): { readonly input: FileInput; readonly channel?: number | undefined } | null {
  if (isFileInput(given)) return { input: given };
  const isDescribed =
    typeof given === "object" && given !== null && !ArrayBuffer.isView(given) && "input" in given;
  return isDescribed && isFileInput(given.input) ? { ...given, input: given.input } : null;
}

function describedStream(given: JointColumnInput): StreamColumn | null {
  const isDescribed =
    typeof given === "object" && given !== null && !ArrayBuffer.isView(given) && "input" in given;
  return isDescribed && isByteStream(given.input) ? (given as StreamColumn) : null;
}

/** @throws ERR_INPUT, ERR_UNSUPPORTED; the signal's reason */
export async function pieceReader(
  host: Host,
  given: JointColumnInput,
  name: string,
  signal: AbortSignal,
): Promise<PieceReader> {
  const stream = isByteStream(given) ? { input: given } : describedStream(given);
  if (stream !== null) return openReader(stream, name, signal);
  const file = fileOf(given);
  if (file !== null) return fileReader(host, file, name, signal);
  const column = columnFrom(host, given, name, new Map());
  const { input } = column.source;
  if (input.kind === "samples") return new MemoryReader(column, input.samples);
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory next to a stream or a file but ${name} is on a device: count columns of one kind`,
  );
}

/** Reads a file as a stream of its bytes. Its range can be found first. */
async function fileReader(
  host: Host,
  { input, ...more }: NonNullable<ReturnType<typeof fileOf>>,
  name: string,
  signal: AbortSignal,
): Promise<PieceReader> {
  checkNames(more, ["channel"], { of: name });
  const source = sourceIn(host, input);
  if (source.input.kind !== "file") throw new TypeError("a file's source is a file");
  const { type, channels, pixels } = source;
  const [channel] = channelsOf(source, more.channel === undefined ? "only" : { channel: more.channel });
  const bytes = pixels * channels * SAMPLE_TRAITS[type].bytes;
  const stream = { input: fileBytes(source.input), type, interleaved: channels, channel: channel!, bytes };
  return openReader(stream, name, signal, { source, channel: channel! });
}

async function openReader(
  of: StreamColumn,
  name: string,
  signal: AbortSignal,
  whole: Column | null = null,
): Promise<StreamReader> {
  checkNames(of, ["input", "channel", "type", "interleaved", "bytes"], { of: name });
  const { input, channel, type, interleaved = 1, bytes } = of;
  if (type !== undefined && !INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", `${name}.type`, `one of ${INPUT_TYPES.join(", ")}`, type);
  }
  checkedChannels(interleaved, `${name}.interleaved`);
  const [only] = channelsOf({ channels: interleaved }, channel === undefined ? "only" : { channel });
  const promised = promisedBytes(input as ByteStream, bytes);
  const typed = await typedStream(input as ByteStream, type, signal);
  return new StreamReader(typed, { interleaved, channel: only!, promised }, whole);
}

class StreamReader implements PieceReader {
  readonly type: SampleType;
  readonly total: number | null;
  readonly whole: Column | null;
  readonly #typed: TypedStream;
  readonly #pieces: AsyncGenerator<Uint8Array>;
  readonly #interleaved: number;
  readonly #channel: number;
  readonly #pixelBytes: number;
  /** The part of the last piece that was not taken. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(
    typed: TypedStream,
    of: { readonly interleaved: number; readonly channel: number; readonly promised: number | null },
    whole: Column | null,
  ) {
    const { interleaved, channel, promised } = of;
    this.whole = whole;
    this.type = typed.type;
    this.#typed = typed;
    this.#interleaved = interleaved;
    this.#channel = channel;
    this.#pixelBytes = SAMPLE_TRAITS[typed.type].bytes * interleaved;
    this.total = promised === null ? null : promised / this.#pixelBytes;
    this.#pieces = wholePixels(typed, interleaved, promised);
  }

  async ready(): Promise<number> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#pieces.next();
      if (done !== true) this.#rest = value;
    }
    return this.#rest.length / this.#pixelBytes;
  }

  take(samples: number): Column {
    const data = this.#rest.subarray(0, samples * this.#pixelBytes);
    this.#rest = this.#rest.subarray(data.length);
    const source = sourceOf({ data, type: this.type, channels: this.#interleaved });
    return { source, channel: this.#channel };
  }

  end(): Promise<void> {
    return this.#typed.end();
  }
}

/** Samples in memory next to a stream. */
class MemoryReader implements PieceReader {
  readonly type: SampleType;
  readonly total: number;
  readonly whole: Column;
  readonly #reader: RunReader;
  /** Type of the samples on a device. */
  readonly #counted: SampleType;
  #taken = 0;

  constructor(column: Column, samples: Samples) {
    this.type = column.source.type;
    this.total = column.source.pixels;
    this.whole = column;
    this.#reader = new RunReader(samples);
    this.#counted = samples.type;
  }

  async ready(): Promise<number> {
    return this.total - this.#taken;
  }

  take(samples: number): Column {
    const { channel, source } = this.whole;
    const data = arrayOver(this.#counted, new Uint8Array(samples * SAMPLE_TRAITS[this.#counted].bytes));
    this.#reader.each(this.#taken, samples, (array, at, count, done) => {
      for (let i = at + channel, to = done; i < at + count; i += source.channels) data[to++] = array[i]!;
    });
    this.#taken += samples;
    return { source: { ...sourceOf(data), type: this.type }, channel: 0 };
  }

  async end(): Promise<void> {}
}
