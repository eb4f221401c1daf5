import { checkNames, expected, PolybinError } from "../../base/index.ts";
import {
  arrayOver,
  type ByteStream,
  channelsOf,
  checkedChannels,
  INPUT_TYPES,
  isByteStream,
  promisedBytes,
  RunReader,
  SAMPLE_TRAITS,
  type Samples,
  type SampleType,
  sourceOf,
  wholePixels,
} from "../../input/index.ts";
import type { Host } from "../host.ts";
import { type Column, columnFrom } from "./columns.ts";
import type { JointColumnInput, StreamColumn } from "./options.ts";

/** A column that is read piece by piece, together with others. */
export interface PieceReader {
  readonly type: SampleType;
  /** Number of samples in total; null if it is not known. */
  readonly total: number | null;
  /** The column of samples in memory; null for a stream. */
  readonly whole: Column | null;
  /** Returns the number of samples that are ready. 0: the column has ended. */
  ready(): Promise<number>;
  /** Returns the next samples, at most those that are ready. They are valid until more are made ready. */
  take(samples: number): Column;
  /** Releases the stream. */
  end(): Promise<void>;
}

/** Returns true if a column is a stream. */
export function isStream(given: JointColumnInput): boolean {
  return isByteStream(given) || describedStream(given) !== null;
}

function describedStream(given: JointColumnInput): StreamColumn | null {
  const isDescribed =
    typeof given === "object" && given !== null && !ArrayBuffer.isView(given) && "input" in given;
  return isDescribed && isByteStream(given.input) ? (given as StreamColumn) : null;
}

/** @throws ERR_INPUT, ERR_UNSUPPORTED */
export function pieceReader(
  host: Host,
  given: JointColumnInput,
  name: string,
  signal: AbortSignal,
): PieceReader {
  if (isByteStream(given)) return new StreamReader({ input: given }, name, signal);
  const described = describedStream(given);
  if (described !== null) return new StreamReader(described, name, signal);
  const column = columnFrom(host, given, name, new Map());
  const { input } = column.source;
  if (input.kind === "samples") return new MemoryReader(column, input.samples);
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory next to a stream but ${name} is on a device: count columns of one kind`,
  );
}

class StreamReader implements PieceReader {
  readonly type: SampleType;
  readonly total: number | null;
  readonly whole = null;
  readonly #pieces: AsyncGenerator<Uint8Array>;
  readonly #interleaved: number;
  readonly #channel: number;
  readonly #pixelBytes: number;
  /** The part of the last piece that was not taken. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(of: StreamColumn, name: string, signal: AbortSignal) {
    checkNames(of, ["input", "channel", "type", "interleaved", "bytes"], { of: name });
    const { input, channel, type = "u8", interleaved = 1, bytes } = of;
    if (!INPUT_TYPES.includes(type)) {
      throw expected("ERR_INPUT", `${name}.type`, `one of ${INPUT_TYPES.join(", ")}`, type);
    }
    checkedChannels(interleaved, `${name}.interleaved`);
    const [only] = channelsOf({ channels: interleaved }, channel === undefined ? "only" : { channel });
    const promised = promisedBytes(input as ByteStream, bytes);
    this.type = type;
    this.#interleaved = interleaved;
    this.#channel = only!;
    this.#pixelBytes = SAMPLE_TRAITS[type].bytes * interleaved;
    this.total = promised === null ? null : promised / this.#pixelBytes;
    this.#pieces = wholePixels(input as ByteStream, type, interleaved, signal, promised);
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

  async end(): Promise<void> {
    await this.#pieces.return(undefined);
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
    let to = 0;
    this.#reader.each(this.#taken, samples, (array, at, count) => {
      for (let i = at + channel; i < at + count; i += source.channels) data[to++] = array[i]!;
    });
    this.#taken += samples;
    return { source: { ...sourceOf(data), type: this.type }, channel: 0 };
  }

  async end(): Promise<void> {}
}
