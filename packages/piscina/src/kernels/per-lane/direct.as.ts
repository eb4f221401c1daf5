// Counts integers over an integer axis, and 16-bit samples over any axis: the row is a difference, or an entry of a table.
//
//   direct   lib/rows/direct.as.ts finds the rows                  TABLES as in rows.as.ts
//   table    LOWERING   [65,536 values] rows, 16 bits or 32
//
// Bound: about nine instructions and one store per sample. A table also reads a second-level cache.
// Source: polybin.
import { LOWERING, TABLES } from "../lib/memory.as";
import { direct, directBias, four, splatFrom, splatTo } from "../lib/rows/direct.as";
import { base } from "../lib/rows/place.as";
import { bump0, bump1, bump2, bump3, bumpAll, rowsAt, tableFrom } from "./rows.as";

export function count_direct_u16(ptr: u32, n: u32): void {
  countDirect<u16>(ptr, n);
}
export function count_direct_i16(ptr: u32, n: u32): void {
  countDirect<i16>(ptr, n);
}
export function count_direct_u32(ptr: u32, n: u32): void {
  countDirect<u32>(ptr, n);
}
export function count_direct_i32(ptr: u32, n: u32): void {
  countDirect<i32>(ptr, n);
}

@inline function countDirect<T>(ptr: u32, n: u32): void {
  const from = splatFrom();
  const to = splatTo();
  const table = tableFrom(directBias());
  const end = ptr + n * sizeof<T>();
  for (const whole = ptr + (n & ~3) * sizeof<T>(); ptr < whole; ptr += 4 * sizeof<T>()) {
    bumpAll(rowsAt(direct<T>(four<T>(ptr), from, to), table));
  }
  for (; ptr < end; ptr += sizeof<T>()) {
    bump0(i32x4.extract_lane(rowsAt(direct<T>(i32x4.splat(<i32>load<T>(ptr)), from, to), table), 0));
  }
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
