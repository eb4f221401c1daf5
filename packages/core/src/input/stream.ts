import { divideCeiling, expected, PolybinError } from "../base/index.ts";
import { type ByteStream, isBlob } from "./byte-stream.ts";
import { fixedBytes, nameOfArray } from "./bytes.ts";
import { STREAM_CHUNK } from "./limits.ts";
import { newPiece } from "./piece.ts";
import { ARRAY_TYPES, SAMPLE_TRAITS, type SampleType } from "./sample-types.ts";
import { checkedWhole } from "./samples.ts";
import { until } from "./until.ts";

/**
 * Returns the number of bytes that a stream will deliver, from the option or a Blob's size, or null if unknown.
 * @throws ERR_INPUT for an invalid number of bytes, or one that differs from the Blob's size.
 */
export function promisedBytes(stream: ByteStream, bytes: number | undefined): number | null {
  const size = isBlob(stream) ? stream.size : null;
  if (bytes === undefined) return size;
  if (size !== null && bytes !== size)
    throw expected("ERR_INPUT", "bytes", `${size}, the Blob's size,`, bytes);
  return checkedWhole(bytes, "bytes", 0);
}

/** A stream whose sample type is known. */
export interface TypedStream {
  readonly type: SampleType;
  /** The bytes of its pieces. @throws what `typedStream` throws */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Releases the stream, unless it has ended. */
  end(): Promise<void>;
}

/**
 * Finds the sample type of a stream, by reading its first piece if nothing else says it. Pieces are bytes or typed
 * arrays of that type.
 * @param type the type that the call names. Default: that of the pieces. Bytes alone are "u8".
 * @throws ERR_INPUT for a piece that holds no samples, or samples of another type.
 * @throws the signal's reason if it aborts, even while the stream delivers nothing.
 */
export async function typedStream(
  stream: ByteStream,
  type: SampleType | undefined,
  signal?: AbortSignal,
): Promise<TypedStream> {
  const pieces = until(iterable(stream), signal);
  const end = async () => void (await pieces.return(undefined));
  if (type !== undefined || isBlob(stream)) {
    const known = type ?? "u8";
    return { type: known, bytes: bytesOf(pieces, known, type !== undefined), end };
  }
  const first = await pieces.next();
  try {
    const found = first.done ? "u8" : typeOfPiece(first.value);
    return { type: found, bytes: bytesOf(from(first, pieces), found, false), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Yields a piece that was already read, then the others. */
function from<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncIterable<T> {
  let read: IteratorResult<T> | null = first;
  const next = async () => {
    const piece = read ?? (await rest.next());
    read = null;
    return piece;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: (value) => rest.return(value) }) };
}

/** @param isNamed whether the call names the type: bytes then hold samples of it */
async function* bytesOf(
  pieces: AsyncIterable<unknown>,
  type: SampleType,
  isNamed: boolean,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const own = typeOfPiece(piece);
    if (own !== type && !(isNamed && own === "u8")) {
      throw isNamed
        ? expected("ERR_INPUT", "type", `${own}, the type of the stream's pieces,`, type)
        : expected("ERR_INPUT", "a piece of the stream", `samples of ${type}, like the first piece,`, piece);
    }
    yield fixedBytes(piece as ArrayBufferView, "a piece of the stream");
  }
}

/** Returns the type of a typed array; "u8" for other views. @throws ERR_INPUT for anything else. */
function typeOfPiece(piece: unknown): SampleType {
  if (!ArrayBuffer.isView(piece)) {
    throw expected("ERR_INPUT", "a piece of the stream", "bytes or a typed array", piece);
  }
  return ARRAY_TYPES.get(nameOfArray(piece)) ?? "u8";
}

/**
 * Yields a stream's bytes in pieces of about 8 MiB that hold whole pixels, whatever the size of the stream's
 * chunks. Two buffers alternate, so a piece is valid until the second next one is requested. The buffers are
 * allocated on demand.
 * @param promised the exact number of bytes that the stream must deliver. Null: any number.
 * @throws ERR_INPUT if the stream ends inside a pixel or does not deliver the promised bytes.
 */
export async function* wholePixels(
  { bytes: chunks, type }: Pick<TypedStream, "bytes" | "type">,
  channels: number,
  promised: number | null = null,
): AsyncGenerator<Uint8Array> {
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const most = STREAM_CHUNK - (STREAM_CHUNK % pixelBytes);
  const size = promised === null ? most : Math.min(most, divideCeiling(promised, pixelBytes) * pixelBytes);
  const buffers: Uint8Array[] = [];
  let pieces = 0;
  let filled = 0;
  let bytes = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    bytes += rest.length;
    if (promised !== null && bytes > promised) throw broken(promised, `received at least ${bytes}`);
    while (rest.length > 0) {
      buffers[pieces % 2] ??= newPiece(size);
      const piece = buffers[pieces % 2]!;
      const part = rest.subarray(0, size - filled);
      piece.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
      if (filled === size) {
        yield piece;
        pieces++;
        filled = 0;
      }
    }
  }
  if (promised !== null && bytes < promised) throw broken(promised, `it ended after ${bytes}`);
  if (filled % pixelBytes !== 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a whole number of ${type} samples (${pixelBytes} bytes each) but the stream ended with ` +
        `${filled % pixelBytes} bytes over`,
    );
  }
  if (filled > 0) yield buffers[pieces % 2]!.subarray(0, filled);
}

function broken(promised: number, what: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected ${promised} bytes from the stream but ${what}`);
}

function iterable(stream: ByteStream): AsyncIterable<unknown> {
  if (isBlob(stream)) return readBlob(stream);
  return isWebStream(stream) ? readAll(stream) : readIterable(stream as AsyncIterable<unknown>);
}

function isWebStream(stream: unknown): stream is ReadableStream<unknown> {
  return typeof ReadableStream !== "undefined" && stream instanceof ReadableStream;
}

/** Reads a Blob. A Blob may represent a file, which cannot be read after it has changed. @throws ERR_INPUT then. */
function readBlob(blob: Blob): AsyncIterable<unknown> {
  return failing(readAll(blob.stream()), (cause) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    return new PolybinError("ERR_INPUT", `expected ${blob.size} bytes from the Blob but: ${why}`, { cause });
  });
}

/** Reads a Node stream or another source. Node reports only a code if somebody destroys a stream before its end. */
function readIterable(source: AsyncIterable<unknown>): AsyncIterable<unknown> {
  return failing(source, (cause) => {
    if ((cause as { readonly code?: unknown } | null)?.code !== "ERR_STREAM_PREMATURE_CLOSE") return cause;
    const message = "expected the stream to end but it was destroyed before its end";
    return new PolybinError("ERR_INPUT", message, { cause });
  });
}

/** Yields the same pieces, with another error if the source fails. */
function failing(
  source: AsyncIterable<unknown>,
  errorOf: (cause: unknown) => unknown,
): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = source[Symbol.asyncIterator]();
      const next = async () => {
        try {
          return await iterator.next();
        } catch (cause) {
          throw errorOf(cause);
        }
      };
      return { next, return: async () => (await iterator.return?.()) ?? { done: true, value: undefined } };
    },
  };
}

/**
 * Reads a stream. Some browsers' ReadableStream is not iterable. In contrast to a generator, this can be ended while
 * it waits.
 */
function readAll(stream: ReadableStream<unknown>): AsyncIterable<unknown> {
  if (stream.locked) {
    throw new PolybinError("ERR_INPUT", "expected a stream without another reader but it is locked");
  }
  const reader = stream.getReader();
  const iterator: AsyncIterator<unknown> = {
    next: () => reader.read() as Promise<IteratorResult<unknown>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
