import { readDeltas } from "./delta.ts";
import { type Cursor, readFlags } from "./hybrid.ts";
import { Unsupported } from "./unsupported.ts";

/** Reads `count` values of 4 or 8 bytes (`words` words of 32 bits) into `out`. */
export function readWords(
  cursor: Cursor,
  encoding: string,
  count: number,
  words: 1 | 2,
  out: Uint32Array,
): void {
  switch (encoding) {
    case "PLAIN":
      plain(cursor, 4 * words * count, out);
      return;
    case "BYTE_STREAM_SPLIT":
      split(cursor, count, 4 * words, bytesOf(out));
      return;
    case "DELTA_BINARY_PACKED":
      readDeltas(cursor, count, out, words);
      return;
    default:
      throw new Unsupported(`the encoding ${encoding} of numbers is unknown`);
  }
}

const bytesOf = (words: Uint32Array) => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

function plain(cursor: Cursor, length: number, out: Uint32Array): void {
  bytesOf(out).set(taken(cursor, length));
}

/** Takes the next bytes of a page. */
export function taken(cursor: Cursor, length: number): Uint8Array {
  const { bytes, at } = cursor;
  if (at + length > bytes.length)
    throw new Error(`a page has ${bytes.length - at} bytes instead of ${length}`);
  cursor.at += length;
  return bytes.subarray(at, at + length);
}

/** Reads values of `size` bytes whose first bytes come first, then all second ones, and so on. */
export function split(cursor: Cursor, count: number, size: number, out: Uint8Array): void {
  const bytes = taken(cursor, count * size);
  for (let b = 0; b < size; b++) {
    const from = b * count;
    for (let i = 0, to = b; i < count; i++, to += size) out[to] = bytes[from + i]!;
  }
}

/** Reads `count` booleans as bytes 0 and 1. */
export function readBooleans(cursor: Cursor, encoding: string, count: number, out: Uint8Array): void {
  if (encoding === "PLAIN") {
    const bytes = taken(cursor, Math.ceil(count / 8));
    for (let i = 0; i < count; i++) out[i] = (bytes[i >> 3]! >> (i & 7)) & 1;
    return;
  }
  if (encoding !== "RLE") throw new Unsupported(`the encoding ${encoding} of booleans is unknown`);
  // The length of the runs precedes them.
  taken(cursor, 4);
  readFlags(cursor, count, out);
}
