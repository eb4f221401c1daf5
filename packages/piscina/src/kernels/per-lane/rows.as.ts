// The table that counts samples wider than a byte, and the steps that all types share.
//
//   TABLES   [row][4 lanes]   counters of 32 bits; neighbouring samples take the lanes in turn
//
//   row      0     1           2 … bins + 1   bins + 2
//            NaN   underflow   the bins       overflow
//
// Every sample is counted, wherever it falls, so that no branch depends on it. Bins that no sample of the type can
// reach stay empty. A row takes 16 bytes, so the tables of 65,536 bins fit the second-level cache, and those of 1,024
// bins the first.
import { WORKER_WIDE_LANES } from "../generated/limits.as";
import { CODES, SUMS, TABLES } from "../lib/memory.as";
import { base } from "../lib/rows/place.as";

if (WORKER_WIDE_LANES != 4) {
  ERROR("per-lane's rows have 4 lanes: rewrite their loops for core's WORKER_WIDE_LANES");
}

/** Rows that may hold counts. It is 0 after they were copied to SUMS. */
let used: u32 = 0;

/** Sets the rows of the job that begins. */
export function lanes_rows(rows: u32): void {
  used = rows;
}

/** Returns the address of row 0 minus `bias` rows, which a guess adds to its rows. */
@inline export function tableFrom(bias: u32): v128 {
  return i32x4.splat(base + TABLES - (bias << 4));
}

/** Returns the addresses of four rows. */
@inline export function rowsAt(rows: v128, table: v128): v128 {
  return i32x4.add(i32x4.shl(rows, 4), table);
}

/** Returns the address of one row. */
@inline export function rowAt(row: u32): u32 {
  return (row << 4) + base + TABLES;
}

@inline export function bump0(at: u32): void {
  store<u32>(at, load<u32>(at) + 1);
}
@inline export function bump1(at: u32): void {
  store<u32>(at, load<u32>(at, 4) + 1, 4);
}
@inline export function bump2(at: u32): void {
  store<u32>(at, load<u32>(at, 8) + 1, 8);
}
@inline export function bump3(at: u32): void {
  store<u32>(at, load<u32>(at, 12) + 1, 12);
}

/** Copies every stride-th sample to consecutive places in CODES. @returns the address of the first */
export function lanes_gather_16(ptr: u32, n: u32, stride: u32): u32 {
  return gather<u16>(ptr, n, stride);
}
export function lanes_gather_32(ptr: u32, n: u32, stride: u32): u32 {
  return gather<u32>(ptr, n, stride);
}
export function lanes_gather_64(ptr: u32, n: u32, stride: u32): u32 {
  return gather<u64>(ptr, n, stride);
}

@inline function gather<T>(ptr: u32, n: u32, stride: u32): u32 {
  const step = stride * sizeof<T>();
  const start = base + CODES;
  const end = start + n * sizeof<T>();
  for (let out = start; out < end; out += sizeof<T>(), ptr += step) store<T>(out, load<T>(ptr));
  return start;
}

/** Counts four samples by the addresses of their rows. */
@inline export function bumpAll(at: v128): void {
  bump0(i32x4.extract_lane(at, 0));
  bump1(i32x4.extract_lane(at, 1));
  bump2(i32x4.extract_lane(at, 2));
  bump3(i32x4.extract_lane(at, 3));
}

/** Writes the sums of the lanes to SUMS, one per row, and clears the lanes. */
export function lanes_finish(): void {
  const zero = i32x4.splat(0);
  let at = base + TABLES;
  let out = base + SUMS;
  // This reads up to three rows more than are used; they are empty.
  for (const end = out + used * 8; out < end; out += 32, at += 64) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const ab = i32x4.add(v128.shuffle<u32>(a, b, 0, 4, 1, 5), v128.shuffle<u32>(a, b, 2, 6, 3, 7));
    const cd = i32x4.add(v128.shuffle<u32>(c, d, 0, 4, 1, 5), v128.shuffle<u32>(c, d, 2, 6, 3, 7));
    v128.store(out, f64x2.convert_low_i32x4_u(i32x4.add(ab, v128.shuffle<u64>(ab, ab, 1, 0))));
    v128.store(out, f64x2.convert_low_i32x4_u(i32x4.add(cd, v128.shuffle<u64>(cd, cd, 1, 0))), 16);
    v128.store(at, zero);
    v128.store(at, zero, 16);
    v128.store(at, zero, 32);
    v128.store(at, zero, 48);
  }
  used = 0;
}

/** Forgets the counts of an unfinished job. */
export function lanes_clear(): void {
  memory.fill(base + TABLES, 0, used << 4);
  used = 0;
}
