import { type Cursor, readVarint, wide } from "./hybrid.ts";

/** Values of a miniblock are multiples of this number. */
const MINIBLOCK_MULTIPLE = 32;

/**
 * Reads integers as differences (DELTA_BINARY_PACKED) into words of 32 bits: one word per value, or a low and a high
 * one. Sums wrap around as the format states. Returns the number of values that the page states.
 * @throws Error unless it states exactly `count` values.
 */
export function readDeltas(cursor: Cursor, count: number, out: Uint32Array, words: 1 | 2): void {
  const { bytes } = cursor;
  const blockSize = readVarint(cursor);
  const miniblocks = readVarint(cursor);
  const total = readVarint(cursor);
  if (total !== count) throw new Error(`a page states ${total} differences for ${count} values`);
  const size = blockSize / miniblocks;
  if (!(size > 0) || size % MINIBLOCK_MULTIPLE !== 0)
    throw new Error(`a page states ${miniblocks} miniblocks in a block of ${blockSize} values`);
  let [low, high] = readZigZag(cursor);
  let done = 0;
  if (count > 0) {
    out[0] = low;
    if (words === 2) out[1] = high;
    done++;
  }
  while (done < count) {
    const [minLow, minHigh] = readZigZag(cursor);
    const widths = cursor.at;
    cursor.at += miniblocks;
    for (let m = 0; m < miniblocks && done < count; m++) {
      const width = bytes[widths + m];
      if (width === undefined || width > 32 * words)
        throw new Error("a page states a wrong width of differences");
      const values = Math.min(size, count - done);
      const start = cursor.at;
      if (start + Math.ceil((values * width) / 8) > bytes.length)
        throw new Error("a page ends inside differences");
      const lowWidth = Math.min(width, 32);
      for (let i = 0, bit = 8 * start; i < values; i++, bit += width) {
        const addLow = width === 0 ? 0 : wide(bytes, bit, lowWidth);
        const sum = (low + minLow) >>> 0;
        // The carries of both additions go to the high word.
        if (words === 2) {
          const addHigh = width > 32 ? wide(bytes, bit + 32, width - 32) : 0;
          high = high + minHigh + addHigh + (sum < low ? 1 : 0) + (sum + addLow > 0xffff_ffff ? 1 : 0);
          high >>>= 0;
          out[2 * done + 1] = high;
        }
        low = (sum + addLow) >>> 0;
        out[words * done] = low;
        done++;
      }
      cursor.at = start + (size * width) / 8;
    }
  }
}

/** Reads a zigzag integer of 64 bits as a low and a high word. */
function readZigZag(cursor: Cursor): [number, number] {
  let low = 0;
  let high = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new Error("a page ends inside a number");
    const seven = byte & 0x7f;
    if (shift < 28) low |= seven << shift;
    else if (shift === 28) {
      low |= seven << 28;
      high |= seven >>> 4;
    } else if (shift < 70) high |= seven << (shift - 32);
    else throw new Error("a number of a page has more than 64 bits");
    if (byte < 0x80) break;
  }
  const sign = -(low & 1);
  const shifted = ((low >>> 1) | (high << 31)) >>> 0;
  return [(shifted ^ sign) >>> 0, ((high >>> 1) ^ sign) >>> 0];
}
