// per-segment: a segment's codes are added to its row, one segment after the other.
//
//   bytes    LANES   [8 tables][256 cells]  16 bits    byte j of a run goes to table j mod 8; added to the row at its end
//   codes    TABLES  as per-lane has them, 32 bits     16-bit codes of long segments
//   none             the row itself, 32 bits           segments with fewer samples than cells
//
// The tables of bytes take 4 KiB and are added up cell beside cell, eight at a time, so that a row costs little even where
// its segment is short: 256 cells in about as long as 400 samples.
//
// Bound: about one store a cycle, whatever the data; for short segments the rows' way to memory.
// Source: ours. The several tables are per-lane's, for a processor's store queue.
import { BYTE_VALUES, SEGMENT_LANES, U16_MAX } from "../generated/limits.as";
import { FLOW, LANES, LOWERING, sumOf, TABLES } from "../lib/memory.as";
import { count_per_lane_u16, finish_per_lane_u16 } from "../per-lane/kernel.as";

// The loops below are written out for this number; core plans with the same one.
if (SEGMENT_LANES != 8) ERROR("per-segment/kernel.as.ts is written for 8 tables: rewrite its loops for core's SEGMENT_LANES");

const TABLE: u32 = BYTE_VALUES * 2;
/** Most increments that one counter of LANES has had since they were added up. */
let load8: u32 = 0;
/** Where the 256 values of bytes are counted that an axis then sorts into bins. */
const VALUES: u32 = TABLES;

/** Forgets what was counted and not yet added to a row. */
export function reset_per_segment(): void {
  if (load8) memory.fill(LANES, 0, TABLE * SEGMENT_LANES);
  load8 = 0;
  memory.fill(VALUES, 0, BYTE_VALUES * 4);
}

/** Counts n bytes through the tables; `row`: where they go before a counter could overflow. */
export function count_per_segment_u8(ptr: u32, n: u32, row: u32): void {
  while (n) {
    if (load8 == U16_MAX) fold_per_segment_u8(row, BYTE_VALUES);
    const room = (U16_MAX - load8) * SEGMENT_LANES;
    const part = n < room ? n : room;
    load8 += (part + SEGMENT_LANES - 1) / SEGMENT_LANES;
    countBytes(ptr, part);
    ptr += part;
    n -= part;
  }
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
  // The tail, at most 7 bytes, each to a table of its own.
  for (let table: u32 = 0; ptr < end; ptr++, table += TABLE) {
    at = (<u32>load<u8>(ptr) << 1) + table; store<u16>(at, load<u16>(at, LANES) + 1, LANES);
  }
}

/** Adds the tables' cells, rounded up to eight of them, to the row and clears them. */
export function fold_per_segment_u8(row: u32, cells: u32): void {
  const zero = i32x4.splat(0);
  for (let at: u32 = 0; at < cells << 1; at += 16, row += 32) {
    // Two counters together stay below 2^17: they are widened before they are added.
    let low = v128.load(row);
    let high = v128.load(row, 16);
    for (let table: u32 = at; table < at + TABLE * SEGMENT_LANES; table += TABLE * 2) {
      const first = v128.load(table, LANES);
      const second = v128.load(table, LANES + TABLE);
      low = i32x4.add(low, i32x4.add(i32x4.extend_low_i16x8_u(first), i32x4.extend_low_i16x8_u(second)));
      high = i32x4.add(high, i32x4.add(i32x4.extend_high_i16x8_u(first), i32x4.extend_high_i16x8_u(second)));
      v128.store(table, zero, LANES);
      v128.store(table, zero, LANES + TABLE);
    }
    v128.store(row, low);
    v128.store(row, high, 16);
  }
  load8 = 0;
}

/** Counts n bytes straight into a row. */
export function add_per_segment_u8(ptr: u32, n: u32, row: u32): void {
  for (const end = ptr + n; ptr < end; ptr++) {
    const at = row + (<u32>load<u8>(ptr) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Counts n codes of 16 bits straight into a row. */
export function add_per_segment_u16(ptr: u32, n: u32, row: u32): void {
  for (const end = ptr + n * 2; ptr < end; ptr += 2) {
    const at = row + (<u32>load<u16>(ptr) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Counts n codes of 16 bits through per-lane's tables; they end in COUNTS, which then is the row. */
export function count_per_segment_u16(ptr: u32, n: u32, cells: u32): void {
  count_per_lane_u16(ptr, n, cells);
}

export function fold_per_segment_u16(cells: u32): void {
  finish_per_lane_u16(cells);
}

/** Where bytes are counted that `bin_per_segment` sorts. */
export function values_per_segment(): u32 {
  return VALUES;
}

/** Sorts the 256 counted values into a row and FLOW, by the codes that the caller has written to LOWERING; clears them. */
export function bin_per_segment(row: u32, bins: u32): void {
  const flow = FLOW - (bins << 2);
  for (let value: u32 = 0; value < BYTE_VALUES << 2; value += 4) {
    const code = load<u32>(value, LOWERING);
    const at = (code < bins ? row : flow) + (code << 2);
    store<u32>(at, load<u32>(at) + load<u32>(value, VALUES));
    store<u32>(value, 0, VALUES);
  }
}

/** The sum of a row of n counters, below 2^32. */
export function sum_per_segment(row: u32, n: u32): u32 {
  const end = row + (n << 2);
  const whole = row + ((n & ~3) << 2);
  let lanes = i32x4.splat(0);
  for (; row < whole; row += 16) lanes = i32x4.add(lanes, v128.load(row));
  let sum = sumOf(lanes);
  for (; row < end; row += 4) sum += load<u32>(row);
  return sum;
}

/** Clears what was copied out. */
export function clear_per_segment(row: u32, bytes: u32): void {
  memory.fill(row, 0, bytes);
}

