import { expected, PolybinError } from "../../../base/index.ts";
import {
  arrayOver,
  type ByteStream,
  type Countable,
  checkedChannels,
  filePieces,
  INPUT_TYPES,
  isByteStream,
  promisedBytes,
  RunReader,
  SAMPLE_TRAITS,
  type Samples,
  type SampleType,
  type Source,
  sourceOf,
  typedStream,
  until,
  wholePixels,
} from "../../../input/index.ts";
import { checkSaid } from "../../jobs/said.ts";
import { type OpenBackend, readable, sourceIn } from "../../opened/open-backend.ts";
import { broughtHome } from "../../samples/in-memory.ts";
import type { Described } from "./described.ts";

/**
 * An input of a call: samples in memory or on the device, a stream or a file. Several columns may be channels of one
 * input, which is then read once.
 */
export interface OpenInput {
  /** Its name in errors. */
  readonly name: string;
  /** Type of the caller's samples. */
  readonly type: SampleType;
  /** Interleaved samples per pixel. */
  readonly channels: number;
  /** Number of pixels; null if it is not known. */
  readonly total: number | null;
  /** The samples, if they can be read more than once. Null: a stream. */
  readonly whole: Source | null;
  /** Whether it is read piece by piece: a stream or a file. */
  readonly isRead: boolean;
  /** Returns the number of pixels that are ready to be taken. 0: the input has ended. */
  ready(signal: AbortSignal | undefined): Promise<number>;
  /** Returns the next pixels, at most those that are ready. They stay valid until `ready` has run twice. */
  take(pixels: number): Source;
  /** Releases the input. */
  end(): Promise<void>;
}

/** Opens an input. @throws ERR_INPUT, ERR_UNSUPPORTED; the signal's reason */
export async function openInput(
  opened: OpenBackend,
  given: Described,
  name: string,
  signal: AbortSignal | undefined,
): Promise<OpenInput> {
  const { input } = given;
  if (isByteStream(input)) return openStream(input, given, name, signal);
  const source = sourceGiven(opened, given);
  if (source.input.kind !== "file") return new WholeInput(opened, name, source);
  const pieces = until(filePieces(source.input), signal);
  return new ReadInput(name, source, { pieces, end: async () => void (await pieces.return()) });
}

/** Returns samples in this process's memory in place of an input on the device. @throws ERR_UNSUPPORTED if there is no copy */
export async function inputAtHome(
  opened: OpenBackend,
  { name, type, channels, whole }: OpenInput,
  signal: AbortSignal | undefined,
): Promise<OpenInput> {
  const samples = await broughtHome(opened, whole!.input, name, signal);
  return new WholeInput(opened, name, {
    ...{ type, channels, pixels: samples.pixels },
    input: { kind: "samples", samples },
  });
}

/** Opens an input without waiting. @throws ERR_INPUT; ERR_UNSUPPORTED for a stream or a file */
export function openNow(opened: OpenBackend, given: Described, name: string): OpenInput {
  const isStream = isByteStream(given.input);
  const source = isStream ? null : sourceGiven(opened, given);
  if (source !== null && source.input.kind !== "file") return new WholeInput(opened, name, source);
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory or on the device for ${name} but received a ${isStream ? "stream" : "file"}: read it into an array first`,
  );
}

function sourceGiven(opened: OpenBackend, given: Described): Source {
  const source = sourceIn(opened, given.input as Exclude<Countable, ByteStream>, given.type);
  checkSaid(given, source);
  if (source.input.kind !== "file") readable(opened, source);
  return source;
}

async function openStream(
  stream: ByteStream,
  { type, interleaved = 1, bytes }: Described,
  name: string,
  signal: AbortSignal | undefined,
): Promise<OpenInput> {
  if (type !== undefined && !INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, type);
  }
  checkedChannels(interleaved, "interleaved");
  const promised = promisedBytes(stream, bytes);
  const typed = await typedStream(stream, type, signal);
  const { type: found, end } = typed;
  const pixels = promised === null ? null : promised / (SAMPLE_TRAITS[found].bytes * interleaved);
  const pieces = wholePixels(typed, interleaved, promised);
  return new ReadInput(name, { type: found, channels: interleaved, pixels }, { pieces, end });
}

/** Pieces of a stream or a file. Each is valid until the second next one is requested. */
interface Read {
  readonly pieces: AsyncGenerator<Uint8Array>;
  end(): Promise<void>;
}

/** A stream or a file. */
class ReadInput implements OpenInput {
  readonly name: string;
  readonly type: SampleType;
  readonly channels: number;
  readonly total: number | null;
  readonly whole: Source | null;
  readonly isRead = true;
  readonly #read: Read;
  readonly #pixelBytes: number;
  /** The part of the last piece that was not taken. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(
    name: string,
    of: Source | (Pick<Source, "type" | "channels"> & { readonly pixels: number | null }),
    read: Read,
  ) {
    this.name = name;
    this.type = of.type;
    this.channels = of.channels;
    this.total = of.pixels;
    this.whole = "input" in of ? of : null;
    this.#read = read;
    this.#pixelBytes = SAMPLE_TRAITS[of.type].bytes * of.channels;
  }

  async ready(): Promise<number> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#read.pieces.next();
      if (done !== true) this.#rest = value;
    }
    return this.#rest.length / this.#pixelBytes;
  }

  take(pixels: number): Source {
    const data = this.#rest.subarray(0, pixels * this.#pixelBytes);
    this.#rest = this.#rest.subarray(data.length);
    return sourceOf({ data, type: this.type, channels: this.channels });
  }

  end(): Promise<void> {
    return this.#read.end();
  }
}

/** Samples in memory or on the device. Next to a stream they are taken in parts, from memory. */
class WholeInput implements OpenInput {
  readonly name: string;
  readonly type: SampleType;
  readonly channels: number;
  readonly total: number;
  readonly whole: Source;
  readonly isRead = false;
  readonly #opened: OpenBackend;
  #samples: Samples | null = null;
  #reader: RunReader | null = null;
  #taken = 0;

  constructor(opened: OpenBackend, name: string, source: Source) {
    this.#opened = opened;
    this.name = name;
    this.type = source.type;
    this.channels = source.channels;
    this.total = source.pixels;
    this.whole = source;
  }

  async ready(signal: AbortSignal | undefined): Promise<number> {
    if (this.#samples === null) {
      this.#samples = await broughtHome(this.#opened, this.whole.input, this.name, signal);
      this.#reader = new RunReader(this.#samples);
    }
    return this.total - this.#taken;
  }

  take(pixels: number): Source {
    const { type, channels } = this.#samples!;
    const data = arrayOver(type, new Uint8Array(pixels * channels * SAMPLE_TRAITS[type].bytes));
    this.#reader!.each(this.#taken, pixels, (array, at, count, done) => {
      data.set(array.subarray(at, at + count) as never, done * channels);
    });
    this.#taken += pixels;
    return { ...sourceOf({ data, channels }), type: this.type };
  }

  async end(): Promise<void> {}
}
