import { PolybinError } from "@polybin/core";
import type { ByteSource, OpenFile, SourceReadOptions } from "./source.ts";

/** Bytes per piece of a stream by default. */
const PIECE_BYTES = 1_048_576;

/** The part of a source that differs from place to place. */
export interface Reach {
  readonly name: string;
  readonly size: number;
  /** Default: null, which means that nothing is known. */
  readonly version?: string | null;
  /** Default: null. */
  readonly file?: OpenFile;
  /** Bytes per piece of a stream. Default: 1 MiB. */
  readonly pieceBytes?: number;
  /** Reads at most `length` bytes, which lie within the place. Fewer bytes mean that the place shrank. */
  read(offset: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** The error of a read of a source that is closed, maybe while it is read. */
export const closedError = (name: string): PolybinError =>
  new PolybinError("ERR_INPUT", `${name}: expected an open source but it is closed`);

/** Creates a source from a place that can be read anywhere. It checks ranges, and streams by reading. */
export function seekableSource(reach: Reach): ByteSource {
  const { name, size } = reach;
  let isClosed = false;
  const read = async (offset: number, length: number, { signal }: SourceReadOptions = {}) => {
    signal?.throwIfAborted();
    if (isClosed) throw closedError(name);
    if (offset < 0 || length < 0 || !Number.isSafeInteger(offset + length) || offset + length > size) {
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected bytes ${offset} to ${offset + length} but it has ${size} bytes`,
      );
    }
    if (length === 0) return new Uint8Array(0);
    const bytes = await reach.read(offset, length, signal).catch((error: unknown) => {
      // The place may have been closed meanwhile.
      throw isClosed && !signal?.aborted ? closedError(name) : error;
    });
    signal?.throwIfAborted();
    if (bytes.length !== length) {
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected ${length} bytes at ${offset} but received ${bytes.length}: it changed while it was read`,
      );
    }
    return bytes;
  };
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await reach.close();
  };
  return {
    name,
    size,
    version: reach.version ?? null,
    ...{ seekable: true, rereadable: true, packed: null },
    get file() {
      return isClosed ? null : (reach.file ?? null);
    },
    read,
    peek: (length, options) => read(0, Math.min(length, size), options),
    async *stream(options) {
      const { pieceBytes = PIECE_BYTES } = reach;
      const piece = (at: number) => {
        const reading = read(at, Math.min(pieceBytes, size - at), options);
        // It is awaited in its turn. Until then, its failure must not count as unhandled.
        reading.catch(() => {});
        return reading;
      };
      // The next piece is read while the caller works on this one.
      let next = piece(0);
      for (let at = pieceBytes; at - pieceBytes < size; at += pieceBytes) {
        const bytes = await next;
        if (at < size) next = piece(at);
        yield bytes;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Opens bytes in memory, or a Blob. */
export function memorySource(
  data: Uint8Array | ArrayBuffer | SharedArrayBuffer | Blob,
  name: string,
): ByteSource {
  if (data instanceof Blob) {
    return seekableSource({
      name,
      size: data.size,
      read: async (offset, length) => new Uint8Array(await data.slice(offset, offset + length).arrayBuffer()),
      close: async () => {},
    });
  }
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  return seekableSource({
    name,
    size: bytes.length,
    // A copy, because callers pass what they read on to other threads.
    read: async (offset, length) => new Uint8Array(bytes.subarray(offset, offset + length)),
    close: async () => {},
  });
}
