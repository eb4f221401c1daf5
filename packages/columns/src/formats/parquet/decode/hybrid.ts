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

/** A run of a page: `count` values that are all `value`, or that are packed from byte `from` on. */
type Run = { readonly isPacked: false; readonly count: number; readonly value: number } | PackedRun;

interface PackedRun {
  readonly isPacked: true;
  readonly count: number;
  readonly from: number;
}

/** Values of a page, from the one with the index `first` to the one before `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/**
 * Reads the head of the next run of equal or of packed values (Parquet's RLE / bit-packing hybrid), clipped to `most`
 * values, and moves the cursor behind the run.
 * @throws Error if the bytes end too early.
 */
function nextRun(cursor: Cursor, width: number, most: number): Run {
  const { bytes } = cursor;
  const header = readVarint(cursor);
  const length = Math.floor(header / 2);
  if (length === 0) throw new Error("a page holds an empty run");
  if (header & 1) {
    const count = Math.min(8 * length, most);
    const from = cursor.at;
    if (from + Math.ceil((count * width) / 8) > bytes.length)
      throw new Error("a page ends inside packed values");
    cursor.at = Math.min(bytes.length, from + length * width);
    return { isPacked: true, count, from };
  }
  let value = 0;
  for (let shift = 0; shift < width; shift += 8) {
    const byte = bytes[cursor.at++];
    if (byte === undefined) throw new Error("a page ends inside a run");
    value += byte * 2 ** shift;
  }
  return { isPacked: false, count: Math.min(length, most), value };
}

/** Reads `count` values of one bit into `bits`, from bit `to` on, which is zero there. */
export function readBits(cursor: Cursor, count: number, bits: Uint8Array, to: number): void {
  for (let done = 0; done < count; ) {
    const run = nextRun(cursor, 1, count - done);
    if (run.isPacked) copyBits(bits, to + done, cursor.bytes, 8 * run.from, run.count);
    else {
      if (run.value > 1) throw new Error(`a page holds the level ${run.value} instead of 0 or 1`);
      if (run.value === 1) setBits(bits, to + done, run.count);
    }
    done += run.count;
  }
}

/** Reads `count` levels up to `level` into `bits`, from bit `to` on, which is zero there: 1 for the highest level. */
export function readLevels(cursor: Cursor, level: number, count: number, bits: Uint8Array, to: number): void {
  const levels = new Uint32Array(count);
  const most = readIndices(cursor, 32 - Math.clz32(level), count, levels);
  if (most > level) throw new Error(`a page holds the level ${most}, and the highest is ${level}`);
  for (let i = 0; i < count; i++) if (levels[i] === level) bits[(to + i) >> 3]! |= 1 << ((to + i) & 7);
}

/** Reads `count` booleans as bytes 0 and 1. */
export function readFlags(cursor: Cursor, count: number, out: Uint8Array): void {
  const { bytes } = cursor;
  for (let done = 0; done < count; ) {
    const run = nextRun(cursor, 1, count - done);
    if (run.isPacked) {
      for (let i = 0; i < run.count; i++) out[done + i] = (bytes[run.from + (i >> 3)]! >> (i & 7)) & 1;
    } else {
      if (run.value > 1) throw new Error("a page holds a boolean above 1");
      out.fill(run.value, done, done + run.count);
    }
    done += run.count;
  }
}

/** The largest width whose values the loop assembles in 32 bits. */
const NARROW = 24;

/** Reads `count` values of `width` bits into `out`. Returns the largest. */
export function readIndices(cursor: Cursor, width: number, count: number, out: Uint32Array): number {
  if (width > 32) throw new Error(`a page states indices of ${width} bits`);
  if (width === 0) {
    out.fill(0, 0, count);
    return 0;
  }
  let most = 0;
  for (let done = 0; done < count; ) {
    const run = nextRun(cursor, width, count - done);
    if (!run.isPacked) out.fill(run.value, done, done + run.count);
    const largest = run.isPacked ? unpack(cursor.bytes, run, width, out, done) : run.value;
    if (largest > most) most = largest;
    done += run.count;
  }
  return most;
}

let unpacked = new Uint32Array(0);

/**
 * Counts a span of `count` values of `width` bits. Values from counts.length on are not counted.
 * @returns the largest of all values
 */
export function countIndices(
  cursor: Cursor,
  width: number,
  count: number,
  { first, end }: Span,
  counts: Uint32Array,
): number {
  if (width > 32) throw new Error(`a page states indices of ${width} bits`);
  if (width === 0) {
    if (counts.length > 0) counts[0]! += end - first;
    return 0;
  }
  let most = 0;
  for (let done = 0; done < count; ) {
    const run = nextRun(cursor, width, count - done);
    // The run's values that count.
    const from = Math.max(0, first - done);
    const to = Math.min(run.count, end - done);
    if (run.isPacked) {
      if (unpacked.length < run.count) unpacked = new Uint32Array(run.count);
      most = Math.max(most, unpack(cursor.bytes, run, width, unpacked, 0));
      countValues(unpacked, from, to, counts);
    } else {
      most = Math.max(most, run.value);
      if (run.value < counts.length) counts[run.value]! += Math.max(0, to - from);
    }
    done += run.count;
  }
  return most;
}

function countValues(values: Uint32Array, from: number, to: number, counts: Uint32Array): void {
  for (let i = from; i < to; i++) counts[values[i]!]! += 1;
}

/** Unpacks values of `width` bits into `out`, from `at` on. Returns the largest. */
function unpack(
  bytes: Uint8Array,
  { from, count }: PackedRun,
  width: number,
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
