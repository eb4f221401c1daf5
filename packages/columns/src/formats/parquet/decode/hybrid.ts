import { copyBits, setBits } from "../../lib/bytes/index.ts";

/** A place in the bytes of a page. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Reads an unsigned integer of up to 32 bits, 7 bits per byte. */
export function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new Error("a page ends inside a number");
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
  throw new Error("a number of a page has more than 32 bits");
}

/**
 * Runs of equal values and of packed values, alternately (Parquet's RLE / bit-packing hybrid). Calls one of both for each
 * run, clipped to `count` values.
 * @throws Error if the bytes end too early.
 */
function readRuns(
  cursor: Cursor,
  width: number,
  count: number,
  equal: (at: number, count: number, value: number) => void,
  packed: (at: number, count: number, from: number) => void,
): void {
  const { bytes } = cursor;
  let done = 0;
  while (done < count) {
    const header = readVarint(cursor);
    const length = Math.floor(header / 2);
    if (length === 0) throw new Error("a page holds an empty run");
    if (header & 1) {
      const values = Math.min(8 * length, count - done);
      if (cursor.at + Math.ceil((values * width) / 8) > bytes.length)
        throw new Error("a page ends inside packed values");
      packed(done, values, cursor.at);
      cursor.at = Math.min(bytes.length, cursor.at + length * width);
      done += values;
    } else {
      const values = Math.min(length, count - done);
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) {
        const byte = bytes[cursor.at++];
        if (byte === undefined) throw new Error("a page ends inside a run");
        value += byte * 2 ** shift;
      }
      equal(done, values, value);
      done += values;
    }
  }
}

/** Reads `count` values of one bit into `bits`, from bit `to` on, which is zero there. */
export function readBits(cursor: Cursor, count: number, bits: Uint8Array, to: number): void {
  readRuns(
    cursor,
    1,
    count,
    (at, run, value) => {
      if (value > 1) throw new Error(`a page holds the level ${value} instead of 0 or 1`);
      if (value === 1) setBits(bits, to + at, run);
    },
    (at, run, from) => copyBits(bits, to + at, cursor.bytes, 8 * from, run),
  );
}

/** The largest width whose values the loop assembles in 32 bits. */
const NARROW = 24;

/** Reads `count` values of `width` bits into `out`. Returns the largest. */
export function readIndices(cursor: Cursor, width: number, count: number, out: Uint32Array): number {
  if (width > 32) throw new Error(`a page states indices of ${width} bits`);
  let most = 0;
  if (width === 0) {
    out.fill(0, 0, count);
    return 0;
  }
  const { bytes } = cursor;
  readRuns(
    cursor,
    width,
    count,
    (at, run, value) => {
      if (value > most) most = value;
      out.fill(value, at, at + run);
    },
    (at, run, from) => {
      const largest = unpack(bytes, from, width, run, out, at);
      if (largest > most) most = largest;
    },
  );
  return most;
}

let unpacked = new Uint32Array(0);

/**
 * Counts those of `count` values of `width` bits that have indices from `first` to `end`. Values from counts.length on are
 * not counted.
 * @returns the largest of all values
 */
export function countIndices(
  cursor: Cursor,
  width: number,
  count: number,
  first: number,
  end: number,
  counts: Uint32Array,
): number {
  if (width > 32) throw new Error(`a page states indices of ${width} bits`);
  if (width === 0) {
    if (counts.length > 0) counts[0]! += end - first;
    return 0;
  }
  let most = 0;
  readRuns(
    cursor,
    width,
    count,
    (at, run, value) => {
      if (value > most) most = value;
      if (value < counts.length) counts[value]! += Math.max(0, Math.min(at + run, end) - Math.max(at, first));
    },
    (at, run, from) => {
      if (unpacked.length < run) unpacked = new Uint32Array(run);
      const largest = unpack(cursor.bytes, from, width, run, unpacked, 0);
      if (largest > most) most = largest;
      const stop = Math.min(run, end - at);
      for (let i = Math.max(0, first - at); i < stop; i++) counts[unpacked[i]!]! += 1;
    },
  );
  return most;
}

/** Unpacks values of `width` bits from byte `from` on. Returns the largest. */
function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  count: number,
  out: Uint32Array,
  at: number,
): number {
  let most = 0;
  if (width === 8) {
    for (let i = 0; i < count; i++) {
      const value = bytes[from + i]!;
      if (value > most) most = value;
      out[at + i] = value;
    }
    return most;
  }
  const mask = width === 32 ? 0xffff_ffff : (1 << width) - 1;
  if (width > NARROW) {
    for (let i = 0; i < count; i++) {
      const value = wide(bytes, 8 * from + i * width, width);
      if (value > most) most = value;
      out[at + i] = value;
    }
    return most;
  }
  let word = 0;
  let have = 0;
  let byte = from;
  for (let i = 0; i < count; i++) {
    while (have < width) {
      word |= bytes[byte++]! << have;
      have += 8;
    }
    const value = word & mask;
    word >>>= width;
    have -= width;
    if (value > most) most = value;
    out[at + i] = value;
  }
  return most;
}

/** Reads up to 32 bits from a bit on, as an unsigned integer. Bits after the end are zero. */
export function wide(bytes: Uint8Array, bit: number, width: number): number {
  // No page has 2^29 bytes, so the position of a bit has 32 bits.
  const byte = bit >>> 3;
  const shift = bit & 7;
  let low: number;
  let next: number;
  if (byte + 5 <= bytes.length) {
    low = bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16) | (bytes[byte + 3]! << 24);
    next = bytes[byte + 4]!;
  } else {
    const at = (i: number) => bytes[byte + i] ?? 0;
    low = at(0) | (at(1) << 8) | (at(2) << 16) | (at(3) << 24);
    next = at(4);
  }
  const value = shift === 0 ? low : (low >>> shift) | (next << (32 - shift));
  return width === 32 ? value >>> 0 : value & ((1 << width) - 1);
}
