import { divideCeiling, expected, PolybinError } from "../base/index.ts";
import { type ByteStream, isBlob } from "./byte-stream.ts";
import { fixedBytes } from "./bytes.ts";
import { STREAM_CHUNK } from "./limits.ts";
import { SAMPLE_TRAITS, type SampleType } from "./sample-types.ts";
import { checkedWhole } from "./samples.ts";

/**
 * How many bytes a stream will give: as many as the user says, or a Blob; null where nobody knows.
 * @throws ERR_INPUT for what is no number of bytes, or not the Blob's.
 */
export function promisedBytes(stream: ByteStream, bytes: number | undefined): number | null {
  const size = isBlob(stream) ? stream.size : null;
  if (bytes === undefined) return size;
  if (size !== null && bytes !== size)
    throw expected("ERR_INPUT", "bytes", `${size}, the Blob's size,`, bytes);
  return checkedWhole(bytes, "bytes", 0);
}

/**
 * The stream's bytes in pieces of about 8 MiB that hold whole pixels, whatever sizes the stream delivers.
 * Two buffers take turns: a piece is valid until the next but one is asked for. They are shared memory where
 * there is such, which a worker pool counts in place, and made when they are needed.
 * @param promised bytes that the stream must give, no fewer and no more; null: any number
 * @throws ERR_INPUT when a chunk is no bytes, the stream ends inside a pixel or breaks its promise; the signal's reason when it
 * aborts, even while the stream delivers nothing.
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

/** A Blob may stand for a file, which cannot be read any more once it has changed. @throws ERR_INPUT then. */
function readBlob(blob: Blob): AsyncIterable<Uint8Array> {
  const iterator = readAll(blob.stream())[Symbol.asyncIterator]();
  const next = () =>
    iterator.next().catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new PolybinError("ERR_INPUT", `expected ${blob.size} bytes from the Blob but: ${why}`, { cause });
    });
  return { [Symbol.asyncIterator]: () => ({ ...iterator, next }) };
}

/** Some browsers' ReadableStream cannot be iterated. Unlike a generator this can be ended while it waits. */
function readAll(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  if (stream.locked) {
    throw new PolybinError("ERR_INPUT", "expected a stream that nobody else reads but it is locked");
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

/** The same pieces until the signal aborts: then it throws at once, though the source may still be waiting. */
async function* until<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  signal?.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  const end = async () => void (await iterator.return?.());
  // One promise for each piece: racing them all against one abort would keep every piece alive.
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
    // A source that waits for its next piece may take for ever to close, so nobody waits for that, nor after an abort.
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
