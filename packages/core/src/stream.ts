import { expected, PolybinError } from "./errors.ts";
import { STREAM_CHUNK } from "./limits.ts";
import type { Where } from "./platform.ts";
import { fixedBytes, SAMPLE_TRAITS, type SampleType } from "./samples.ts";

/** Bytes that come in pieces: a Node or web stream, a Blob or File, an async generator. */
export type ByteStream =
  | AsyncIterable<Uint8Array>
  | Where<"ReadableStream", ReadableStream<Uint8Array>>
  | Where<"Blob", Blob>;

export function isByteStream(value: unknown): value is ByteStream {
  return (
    typeof value === "object" &&
    value !== null &&
    (Symbol.asyncIterator in value ||
      (typeof ReadableStream !== "undefined" && value instanceof ReadableStream) ||
      (typeof Blob !== "undefined" && value instanceof Blob))
  );
}

/**
 * The stream's bytes in pieces of about 8 MiB that hold whole pixels, whatever sizes the stream delivers.
 * Two buffers take turns: a piece is valid until the next but one is asked for. They are shared memory where
 * there is such, which a worker pool counts in place.
 * @throws ERR_INPUT when a chunk is no bytes, or the stream ends inside a pixel; the signal's reason when it
 * aborts, even while the stream delivers nothing.
 */
export async function* wholePixels(
  stream: ByteStream,
  type: SampleType,
  channels: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const size = STREAM_CHUNK - (STREAM_CHUNK % pixelBytes);
  const buffers = [newBuffer(size), newBuffer(size)] as const;
  let pieces = 0;
  let piece = buffers[0];
  let filled = 0;
  for await (const chunk of until(iterable(stream), signal)) {
    if (!ArrayBuffer.isView(chunk)) throw expected("ERR_INPUT", "a piece of the stream", "bytes", chunk);
    let rest = fixedBytes(chunk, "a piece of the stream");
    while (rest.length > 0) {
      const part = rest.subarray(0, size - filled);
      piece.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
      if (filled === size) {
        yield piece;
        piece = buffers[++pieces % 2 === 0 ? 0 : 1];
        filled = 0;
      }
    }
  }
  if (filled % pixelBytes !== 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a whole number of ${type} samples (${pixelBytes} bytes each) but the stream ended with ` +
        `${filled % pixelBytes} bytes over`,
    );
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

function newBuffer(size: number): Uint8Array {
  return new Uint8Array(
    typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(size) : new SharedArrayBuffer(size),
  );
}

function iterable(stream: ByteStream): AsyncIterable<Uint8Array> {
  if (typeof Blob !== "undefined" && stream instanceof Blob) return readAll(stream.stream());
  return stream instanceof ReadableStream ? readAll(stream) : (stream as AsyncIterable<Uint8Array>);
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
    signal?.removeEventListener("abort", abort);
    // A source that waits for its next piece may take for ever to close, so nobody waits for that.
    if (state === "open") await iterator.return?.();
    else if (state === "waiting") Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
