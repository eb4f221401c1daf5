import { divideCeiling, expected, PolybinError } from "../base/index.ts";
import { type ByteStream, isBlob } from "./byte-stream.ts";
import { fixedBytes } from "./bytes.ts";
import { STREAM_CHUNK } from "./limits.ts";
import { SAMPLE_TRAITS, type SampleType } from "./sample-types.ts";
import { checkedWhole } from "./samples.ts";

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

/**
 * Yields the stream's bytes in pieces of about 8 MiB that hold whole pixels, whatever the size of the stream's
 * chunks. Two buffers alternate, so a piece is valid until the second next one is requested. The buffers are
 * allocated on demand, in shared memory if it is available, because a worker pool counts shared memory in place.
 * @param promised the exact number of bytes that the stream must deliver. Null: any number.
 * @throws ERR_INPUT if a chunk does not hold bytes, or the stream ends inside a pixel or does not deliver the
 * promised bytes.
 * @throws the signal's reason if it aborts, even while the stream delivers nothing.
 */
export async function* wholePixels(
  stream: ByteStream,
  type: SampleType,
  channels: number,
  signal?: AbortSignal,
  promised: number | null = null,
): AsyncGenerator<Uint8Array> {
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const most = STREAM_CHUNK - (STREAM_CHUNK % pixelBytes);
  const size = promised === null ? most : Math.min(most, divideCeiling(promised, pixelBytes) * pixelBytes);
  const buffers: Uint8Array[] = [];
  let pieces = 0;
  let filled = 0;
  let bytes = 0;
  for await (const chunk of until(iterable(stream), signal)) {
    if (!ArrayBuffer.isView(chunk)) throw expected("ERR_INPUT", "a piece of the stream", "bytes", chunk);
    let rest = fixedBytes(chunk, "a piece of the stream");
    bytes += rest.length;
    if (promised !== null && bytes > promised) throw broken(promised, `received at least ${bytes}`);
    while (rest.length > 0) {
      buffers[pieces % 2] ??= newBuffer(size);
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

function newBuffer(size: number): Uint8Array {
  return new Uint8Array(
    typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(size) : new SharedArrayBuffer(size),
  );
}

function iterable(stream: ByteStream): AsyncIterable<Uint8Array> {
  if (isBlob(stream)) return readBlob(stream);
  return stream instanceof ReadableStream ? readAll(stream) : (stream as AsyncIterable<Uint8Array>);
}

/** Reads a Blob. A Blob may represent a file, which cannot be read after it has changed. @throws ERR_INPUT then. */
function readBlob(blob: Blob): AsyncIterable<Uint8Array> {
  const iterator = readAll(blob.stream())[Symbol.asyncIterator]();
  const next = () =>
    iterator.next().catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new PolybinError("ERR_INPUT", `expected ${blob.size} bytes from the Blob but: ${why}`, { cause });
    });
  return { [Symbol.asyncIterator]: () => ({ ...iterator, next }) };
}

/**
 * Reads a stream. Some browsers' ReadableStream is not iterable. In contrast to a generator, this can be ended while
 * it waits.
 */
function readAll(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  if (stream.locked) {
    throw new PolybinError("ERR_INPUT", "expected a stream without another reader but it is locked");
  }
  const reader = stream.getReader();
  const iterator: AsyncIterator<Uint8Array> = {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Yields the same pieces until the signal aborts. It then throws at once, even if the source is still waiting. */
async function* until<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  signal?.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  const end = async () => void (await iterator.return?.());
  // Each piece has its own promise. Racing all pieces against one abort promise would keep every piece alive.
  let giveUp: (reason: unknown) => void = () => {};
  const abort = () => giveUp(signal!.reason);
  signal?.addEventListener("abort", abort);
  let state: "waiting" | "open" | "ended" = "waiting";
  try {
    for (;;) {
      state = "waiting";
      const { done, value } = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      state = done ? "ended" : "open";
      if (done) return;
      yield value;
      signal?.throwIfAborted();
    }
  } finally {
    // A source that waits for its next piece may never close, so this does not wait for it, nor for any source after
    // an abort.
    if (state === "waiting") end().catch(() => {});
    else if (state === "open") {
      await new Promise<void>((resolve, reject) => {
        giveUp = () => resolve();
        end().then(resolve, reject);
        if (signal?.aborted) resolve();
      });
    }
    signal?.removeEventListener("abort", abort);
  }
}
