import { PolybinError } from "@polybin/core";
import { orAborted } from "./or-aborted.ts";
import type { ByteSource, SourceReadOptions } from "./source.ts";

/**
 * Creates a source that can be read once, from its start to its end: standard input, a pipe, a web stream.
 * @param release frees what the stream holds before its first piece is read. Closing a generator that never started
 * runs none of its code.
 */
export function streamSource(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  release: () => void = () => {},
): ByteSource {
  const iterator = stream[Symbol.asyncIterator]();
  /** Pieces that `peek` has read and `stream` has yet to yield. */
  const peeked: Uint8Array[] = [];
  let state: "fresh" | "read" | "closed" = "fresh";
  const next = async (signal: AbortSignal | undefined): Promise<Uint8Array | null> => {
    const { done, value } = await orAborted(iterator.next(), signal);
    if (done) return null;
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new PolybinError("ERR_INPUT", `${name}: expected a stream of bytes but received ${typeof value}`);
  };
  const close = async () => {
    if (state === "closed") return;
    state = "closed";
    release();
    await iterator.return?.();
  };
  const checkFresh = () => {
    if (state === "fresh") return;
    throw new PolybinError(
      "ERR_INPUT",
      `${name}: expected a fresh stream but it is ${state}; save it as a file to read it twice`,
    );
  };
  return {
    name,
    size: null,
    version: null,
    ...{ seekable: false, rereadable: false, packed: null, file: null },
    read: async () => {
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected a file, but a stream can only be read from its start; save it as a file`,
      );
    },
    async peek(length, { signal }: SourceReadOptions = {}) {
      checkFresh();
      let bytes = peeked.reduce((sum, piece) => sum + piece.length, 0);
      while (bytes < length) {
        const piece = await next(signal);
        if (piece === null) break;
        peeked.push(piece);
        bytes += piece.length;
      }
      return new Uint8Array(Buffer.concat(peeked).subarray(0, length));
    },
    async *stream({ signal }: SourceReadOptions = {}) {
      checkFresh();
      state = "read";
      yield* peeked.splice(0);
      for (;;) {
        const piece = await next(signal);
        if (piece === null) return;
        yield piece;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
