import { MAX_STRING_BYTES } from "../limits.ts";
import { readDeltas } from "./delta.ts";
import type { Cursor } from "./hybrid.ts";
import { Unsupported } from "./unsupported.ts";
import { split, taken } from "./words.ts";

/** Receives value `i`, as bytes from `start` to `end` of an array that may change afterwards. */
export type UseBytes = (i: number, bytes: Uint8Array, start: number, end: number) => void;

/** Reads `count` values of bytes. `size` is the length of each, or 0 if they differ. */
export function readByteValues(
  cursor: Cursor,
  encoding: string,
  count: number,
  size: number,
  use: UseBytes,
): void {
  switch (encoding) {
    case "PLAIN":
      if (size > 0) fixed(taken(cursor, count * size), count, size, use);
      else plain(cursor, count, use);
      return;
    case "DELTA_LENGTH_BYTE_ARRAY":
      lengths(cursor, count, use);
      return;
    case "DELTA_BYTE_ARRAY":
      prefixes(cursor, count, use);
      return;
    case "BYTE_STREAM_SPLIT": {
      if (size === 0) break;
      const bytes = new Uint8Array(count * size);
      split(cursor, count, size, bytes);
      fixed(bytes, count, size, use);
      return;
    }
  }
  throw new Unsupported(`the encoding ${encoding} of bytes is unknown`);
}

function fixed(bytes: Uint8Array, count: number, size: number, use: UseBytes): void {
  for (let i = 0; i < count; i++) use(i, bytes, i * size, (i + 1) * size);
}

function plain(cursor: Cursor, count: number, use: UseBytes): void {
  const { bytes } = cursor;
  const most = bytes.length;
  let { at } = cursor;
  for (let i = 0; i < count; i++) {
    if (at + 4 > most) throw new Error("a page ends inside the length of a string");
    const length =
      (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
    at += 4;
    if (at + length > most) throw new Error(`a page ends inside a string of ${length} bytes`);
    use(i, bytes, at, at + length);
    at += length;
  }
  cursor.at = at;
}

function readLengths(cursor: Cursor, count: number): Int32Array {
  const words = new Uint32Array(count);
  readDeltas(cursor, count, words, 1);
  const read = new Int32Array(words.buffer);
  for (let i = 0; i < count; i++) if (read[i]! < 0) throw new Error("a page states a negative length");
  return read;
}

function lengths(cursor: Cursor, count: number, use: UseBytes): void {
  const each = readLengths(cursor, count);
  for (let i = 0; i < count; i++) {
    const start = cursor.at;
    taken(cursor, each[i]!);
    use(i, cursor.bytes, start, cursor.at);
  }
}

/** Values share a prefix with the one before. */
function prefixes(cursor: Cursor, count: number, use: UseBytes): void {
  const shared = readLengths(cursor, count);
  const own = readLengths(cursor, count);
  let value = new Uint8Array(256);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const prefix = shared[i]!;
    if (prefix > length) throw new Error("a page states a prefix that is longer than the value before");
    const suffix = taken(cursor, own[i]!);
    length = prefix + suffix.length;
    if (length > MAX_STRING_BYTES) throw new Error(`a string takes more than ${MAX_STRING_BYTES} bytes`);
    if (length > value.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(value.subarray(0, prefix));
      value = longer;
    }
    value.set(suffix, prefix);
    use(i, value, 0, length);
  }
}
