// Counts samples over edges of any spacing.
//
//   TABLES   as in rows.as.ts; lib/rows/search.as.ts finds the rows
//
// Bound: a start, a threshold per halving and an increment. Each waits for the one before.
// Source: polybin; core's ranks.ts has the rule.
import { splatBias, splatHigh, splatLost, splatLow, splatOrigin, splatScale } from "../lib/rows/line.as";
import { startsFrom } from "../lib/rows/place.as";
import { keysShift, keyStart, keyStarts, lineBase, lineStart, lineStarts, rowFrom, splatKeysFrom, splatKeysTo } from "../lib/rows/search.as";
import { bump0, bump1, bump2, bump3, rowAt } from "./rows.as";

export function count_line_f32(ptr: u32, n: u32): void {
  byLine<f32, f32>(ptr, n);
}
export function count_line_f64(ptr: u32, n: u32): void {
  byLine<f64, f64>(ptr, n);
}
export function count_line_u32(ptr: u32, n: u32): void {
  byLine<u32, f64>(ptr, n);
}
export function count_line_i32(ptr: u32, n: u32): void {
  byLine<i32, f64>(ptr, n);
}
export function count_keys_f32(ptr: u32, n: u32): void {
  byKeys<f32, f32>(ptr, n);
}
export function count_keys_f64(ptr: u32, n: u32): void {
  byKeys<f64, f64>(ptr, n);
}
export function count_keys_u32(ptr: u32, n: u32): void {
  byKeys<u32, f64>(ptr, n);
}
export function count_keys_i32(ptr: u32, n: u32): void {
  byKeys<i32, f64>(ptr, n);
}

/** T: the sample; V: the float type that it is compared as. */
@inline function byLine<T, V>(ptr: u32, n: u32): void {
  const from = splatLow<V>();
  const to = splatHigh<V>();
  const nan = splatLost<V>();
  const at = splatOrigin<V>();
  const by = splatScale<V>();
  const add = splatBias<V>();
  const first = lineBase<V>();
  const end = ptr + n * sizeof<T>();
  for (const whole = ptr + (n & ~3) * sizeof<T>(); ptr < whole; ptr += 4 * sizeof<T>()) {
    countFour<T, V>(ptr, lineStarts<T, V>(ptr, from, to, nan, at, by, add, first));
  }
  for (; ptr < end; ptr += sizeof<T>()) {
    countOne<T, V>(ptr, lineStart<T, V>(ptr, from, to, nan, at, by, add, first));
  }
}

@inline function byKeys<T, V>(ptr: u32, n: u32): void {
  const from = splatKeysFrom();
  const to = splatKeysTo();
  const by = keysShift();
  const first = startsFrom(0);
  const end = ptr + n * sizeof<T>();
  for (const whole = ptr + (n & ~3) * sizeof<T>(); ptr < whole; ptr += 4 * sizeof<T>()) {
    countFour<T, V>(ptr, keyStarts<T, V>(ptr, from, to, by, first));
  }
  for (; ptr < end; ptr += sizeof<T>()) {
    countOne<T, V>(ptr, keyStart<T, V>(ptr, from, to, by, first));
  }
}

/** Counts four samples from `ptr` on. `at` has the addresses of their starts. */
@inline function countFour<T, V>(ptr: u32, at: v128): void {
  bump0(rowAt(rowFrom<T, V>(i32x4.extract_lane(at, 0), ptr)));
  bump1(rowAt(rowFrom<T, V>(i32x4.extract_lane(at, 1), ptr + sizeof<T>())));
  bump2(rowAt(rowFrom<T, V>(i32x4.extract_lane(at, 2), ptr + sizeof<T>() * 2)));
  bump3(rowAt(rowFrom<T, V>(i32x4.extract_lane(at, 3), ptr + sizeof<T>() * 3)));
}

@inline function countOne<T, V>(ptr: u32, at: v128): void {
  bump0(rowAt(rowFrom<T, V>(i32x4.extract_lane(at, 0), ptr)));
}
