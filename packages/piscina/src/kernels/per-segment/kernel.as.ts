// per-segment: a segment's codes are added to its row, one segment after another.
//
//   bytes    LANES   [8 tables][256 cells]  16 bits    byte j of a run uses table j mod 8; added to the row at its end
//   codes    TABLES  as in per-lane, 32 bits           16-bit codes of long segments
//   none             the row itself, 32 bits           segments with fewer samples than cells
//
// The tables of bytes take 4 KiB. They are added up eight cells at a time, so that the row of a short segment also
// costs little: 256 cells take about as long as 400 samples.
//
// Bound: about one store per cycle, whatever the data. For short segments, the transfer of the rows to memory.
// Source: polybin. The tables are per-lane's, for a processor's store queue.
import { BYTE_VALUES, SEGMENT_LANES, U16_MAX, WORKER_CHUNK_BYTES } from "../generated/limits.as";
import { FLOW, LANES, LOWERING, sumOf, TABLES } from "../lib/memory.as";
import { count_per_lane_u16, finish_per_lane_u16 } from "../per-lane/kernel.as";

// The loops below are unrolled for this number. Core plans with the same one.
if (SEGMENT_LANES != 8) {
  ERROR("per-segment/kernel.as.ts is written for 8 tables: rewrite its loops for core's SEGMENT_LANES");
}
// A chunk is added to its row before the next one. So no counter overflows, and no sum of two: each receives one byte
// of every eight, and at most one of the rest.
if (WORKER_CHUNK_BYTES / SEGMENT_LANES + 1 > U16_MAX / 2) {
  ERROR("a chunk is more than the tables of per-segment hold");
}

const TABLE: u32 = BYTE_VALUES * 2;
/** The counts of the 256 byte values, which an axis then sorts into bins. */
const VALUES: u32 = TABLES;

/** Forgets values that were counted but not yet sorted. */
export function reset_per_segment(): void {
  memory.fill(VALUES, 0, BYTE_VALUES * 4);
}

/** Adds n bytes to a row through the tables. There is at most a chunk of them, and each is below `cells`. */
export function count_per_segment_u8(ptr: u32, n: u32, row: u32, cells: u32): void {
  countBytes(ptr, n);
  foldTables(row, cells);
}

function countBytes(ptr: u32, n: u32): void {
  let at: u32;
  const end = ptr + n;
  const whole = ptr + (n & ~7);
  for (; ptr < whole; ptr += 8) {
    at = <u32>load<u8>(ptr, 0) << 1; store<u16>(at, load<u16>(at, LANES) + 1, LANES);
    at = <u32>load<u8>(ptr, 1) << 1; store<u16>(at, load<u16>(at, LANES + TABLE) + 1, LANES + TABLE);
    at = <u32>load<u8>(ptr, 2) << 1; store<u16>(at, load<u16>(at, LANES + TABLE * 2) + 1, LANES + TABLE * 2);
    at = <u32>load<u8>(ptr, 3) << 1; store<u16>(at, load<u16>(at, LANES + TABLE * 3) + 1, LANES + TABLE * 3);
    at = <u32>load<u8>(ptr, 4) << 1; store<u16>(at, load<u16>(at, LANES + TABLE * 4) + 1, LANES + TABLE * 4);
    at = <u32>load<u8>(ptr, 5) << 1; store<u16>(at, load<u16>(at, LANES + TABLE * 5) + 1, LANES + TABLE * 5);
    at = <u32>load<u8>(ptr, 6) << 1; store<u16>(at, load<u16>(at, LANES + TABLE * 6) + 1, LANES + TABLE * 6);
    at = <u32>load<u8>(ptr, 7) << 1; store<u16>(at, load<u16>(at, LANES + TABLE * 7) + 1, LANES + TABLE * 7);
  }
  // The tail has at most 7 bytes. Each uses a table of its own.
  for (let table: u32 = 0; ptr < end; ptr++, table += TABLE) {
    at = (<u32>load<u8>(ptr) << 1) + table; store<u16>(at, load<u16>(at, LANES) + 1, LANES);
  }
}

/** Adds the tables' cells, rounded up to a multiple of eight, to the row and clears them. */
function foldTables(row: u32, cells: u32): void {
  for (let at: u32 = 0; at < cells << 1; at += 16, row += 32) {
    const first = takePair(at);
    const second = takePair(at + TABLE * 2);
    const third = takePair(at + TABLE * 4);
    const fourth = takePair(at + TABLE * 6);
    const low = i32x4.add(
      i32x4.add(i32x4.extend_low_i16x8_u(first), i32x4.extend_low_i16x8_u(second)),
      i32x4.add(i32x4.extend_low_i16x8_u(third), i32x4.extend_low_i16x8_u(fourth)),
    );
    const high = i32x4.add(
      i32x4.add(i32x4.extend_high_i16x8_u(first), i32x4.extend_high_i16x8_u(second)),
      i32x4.add(i32x4.extend_high_i16x8_u(third), i32x4.extend_high_i16x8_u(fourth)),
    );
    v128.store(row, i32x4.add(v128.load(row), low));
    v128.store(row, i32x4.add(v128.load(row, 16), high), 16);
  }
}

/** Returns the sums of eight cells of two tables, and clears them. */
@inline function takePair(at: u32): v128 {
  const sum = i16x8.add(v128.load(at, LANES), v128.load(at, LANES + TABLE));
  v128.store(at, i32x4.splat(0), LANES);
  v128.store(at, i32x4.splat(0), LANES + TABLE);
  return sum;
}

/** Counts n bytes directly into a row. */
export function add_per_segment_u8(ptr: u32, n: u32, row: u32): void {
  for (const end = ptr + n; ptr < end; ptr++) {
    const at = row + (<u32>load<u8>(ptr) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Counts n codes of 16 bits directly into a row. */
export function add_per_segment_u16(ptr: u32, n: u32, row: u32): void {
  for (const end = ptr + n * 2; ptr < end; ptr += 2) {
    const at = row + (<u32>load<u16>(ptr) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Counts n codes of 16 bits through per-lane's tables. They are added to COUNTS, which then is the row. */
export function count_per_segment_u16(ptr: u32, n: u32, cells: u32): void {
  count_per_lane_u16(ptr, n, cells);
}

export function fold_per_segment_u16(cells: u32): void {
  finish_per_lane_u16(cells);
}

/** Returns the address of the byte counts that `bin_per_segment` sorts. */
export function values_per_segment(): u32 {
  return VALUES;
}

/**
 * Sorts the counts of the 256 values into a row and FLOW, by the codes that the caller has written to LOWERING, and
 * clears them.
 */
export function bin_per_segment(row: u32, bins: u32): void {
  const flow = FLOW - (bins << 2);
  for (let value: u32 = 0; value < BYTE_VALUES << 2; value += 4) {
    const code = load<u32>(value, LOWERING);
    const at = (code < bins ? row : flow) + (code << 2);
    store<u32>(at, load<u32>(at) + load<u32>(value, VALUES));
    store<u32>(value, 0, VALUES);
  }
}

/** Returns the sum of a row of n counters, which is below 2^32. */
export function sum_per_segment(row: u32, n: u32): u32 {
  const end = row + (n << 2);
  const whole = row + ((n & ~3) << 2);
  let lanes = i32x4.splat(0);
  for (; row < whole; row += 16) lanes = i32x4.add(lanes, v128.load(row));
  let sum = sumOf(lanes);
  for (; row < end; row += 4) sum += load<u32>(row);
  return sum;
}

/** Clears rows that were copied out. */
export function clear_per_segment(row: u32, bytes: u32): void {
  memory.fill(row, 0, bytes);
}

