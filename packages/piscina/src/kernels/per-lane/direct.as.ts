// Integers over an integer axis, and 16-bit samples over any axis: the row is a difference, or an entry of a table.
//
//   direct   row = clamp(sample, low, high) - low + first         TABLES as in rows.as.ts
//   table    LOWERING   [65,536 values] rows, 16 bits or 32
//
// Bound: about nine instructions and one store per sample. A table also reads a second-level cache.
// Source: polybin.
import { LOWERING, TABLES } from "../lib/memory.as";
import { base, bump0, bump1, bump2, bump3, bumpAll, tableFrom } from "./rows.as";

let low: u32 = 0;
let high: u32 = 0;
let first: u32 = 0;

/** The samples at both ends of the range with rows of its own, and the row of `from`. */
export function lanes_direct(from: u32, to: u32, row: u32): void {
  low = from;
  high = to;
  first = row;
}

export function count_direct_u16(ptr: u32, n: u32): void {
  direct<u16>(ptr, n);
}
export function count_direct_i16(ptr: u32, n: u32): void {
  direct<i16>(ptr, n);
}
export function count_direct_u32(ptr: u32, n: u32): void {
  direct<u32>(ptr, n);
}
export function count_direct_i32(ptr: u32, n: u32): void {
  direct<i32>(ptr, n);
}

@inline function direct<T>(ptr: u32, n: u32): void {
  const from = i32x4.splat(low);
  const to = i32x4.splat(high);
  const table = tableFrom(low - first);
  const end = ptr + n * sizeof<T>();
  for (const whole = ptr + (n & ~3) * sizeof<T>(); ptr < whole; ptr += 4 * sizeof<T>()) {
    const values = sizeof<T>() == 4 ? v128.load(ptr) : isSigned<T>() ? v128.load16x4_s(ptr) : v128.load16x4_u(ptr);
    bumpAll(addresses<T>(values, from, to, table));
  }
  for (; ptr < end; ptr += sizeof<T>()) {
    bump0(i32x4.extract_lane(addresses<T>(i32x4.splat(<i32>load<T>(ptr)), from, to, table), 0));
  }
}

@inline function addresses<T>(values: v128, from: v128, to: v128, table: v128): v128 {
  const within =
    isSigned<T>() ? i32x4.min_s(i32x4.max_s(values, from), to) : i32x4.min_u(i32x4.max_u(values, from), to);
  return i32x4.add(i32x4.shl(within, 4), table);
}

/** Rows of 16 bits, one per value. */
export function count_table_16(ptr: u32, n: u32): void {
  table<u16>(ptr, n);
}
/** Rows of 32 bits, for more than 65,536 rows. */
export function count_table_32(ptr: u32, n: u32): void {
  table<u32>(ptr, n);
}

@inline function table<R>(ptr: u32, n: u32): void {
  const rows = base + LOWERING;
  const to = base + TABLES;
  const end = ptr + n * 2;
  for (const whole = ptr + (n & ~3) * 2; ptr < whole; ptr += 8) {
    bump0((<u32>load<R>(rows + <u32>load<u16>(ptr) * sizeof<R>()) << 4) + to);
    bump1((<u32>load<R>(rows + <u32>load<u16>(ptr, 2) * sizeof<R>()) << 4) + to);
    bump2((<u32>load<R>(rows + <u32>load<u16>(ptr, 4) * sizeof<R>()) << 4) + to);
    bump3((<u32>load<R>(rows + <u32>load<u16>(ptr, 6) * sizeof<R>()) << 4) + to);
  }
  for (; ptr < end; ptr += 2) bump0((<u32>load<R>(rows + <u32>load<u16>(ptr) * sizeof<R>()) << 4) + to);
}
