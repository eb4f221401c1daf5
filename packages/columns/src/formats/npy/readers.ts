import type { ByteSource } from "../../source/index.ts";
import { damaged } from "../../table/index.ts";
import type { ArrayReader } from "./array.ts";

/** Reads ranges of a file, `start` bytes after its first one. */
export function rangeReader(source: ByteSource, start: number, signal: AbortSignal | undefined): ArrayReader {
  return {
    read: (offset, length) => source.read(start + offset, length, { signal }),
    close: async () => {},
  };
}

/**
 * Reads ascending ranges of a stream, and passes over what lies between them.
 * @param skip bytes before the data.
 * @param total bytes of the data, after which the stream must end.
 */
export function streamReader(
  name: string,
  stream: AsyncIterable<Uint8Array>,
  { skip, total }: { readonly skip: number; readonly total: number },
): ArrayReader {
  const iterator = stream[Symbol.asyncIterator]();
  let at = -skip;
  let rest: Uint8Array = new Uint8Array(0);
  let isDone = false;
  const pull = async (): Promise<boolean> => {
    if (isDone) return false;
    const { done, value } = await iterator.next();
    isDone = done === true;
    if (!isDone) rest = value;
    return !isDone;
  };
  const drop = (bytes: number) => {
    rest = rest.subarray(bytes);
    at += bytes;
  };
  const read = async (offset: number, length: number) => {
    while (at < offset) {
      if (rest.length === 0 && !(await pull())) throw short(name, offset - at);
      drop(Math.min(rest.length, offset - at));
    }
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      if (rest.length === 0 && !(await pull())) throw short(name, length - filled);
      const taken = rest.subarray(0, length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      drop(taken.length);
    }
    if (at === total) {
      // The checksum of a compressed file is checked when its stream ends.
      while (rest.length === 0 && (await pull()));
      if (rest.length > 0)
        throw damaged(name, "expected the end of the file after the last element but found more bytes");
    }
    return bytes;
  };
  return {
    read,
    close: async () => {
      isDone = true;
      await iterator.return?.();
    },
  };
}

const short = (name: string, bytes: number): Error =>
  damaged(name, `expected ${bytes} more bytes but the file ends before`);
