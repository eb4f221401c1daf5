// Samples over edges of any spacing: a cell of the samples' range says where among the thresholds to begin, and as many
// halvings as the fullest cell needs find the row, the same for every sample.
//
//   STARTS     [cell]                 the first row of the cell, 32 bits; cell 0 is NaN's, with row 0
//   LOWERING   thresholds[0 … last + 1]   as line.as.ts has them; of integers in doubles
//   TABLES     as rows.as.ts has them
//
//   line   cells of equal width          keys   cells of equal numbers of keys: of floats, so many an octave
//
// The cell never falls as samples rise, whatever it is rounded to, and the comparisons decide: so any cells are right.
//
// Bound: a start, a threshold for each halving and an increment, each waiting for the one before.
// Source: ours; the rule is core's ranks.ts.
import { LOWERING, TABLES } from "../lib/memory.as";
import { lineBias, lineCells } from "./line.as";
import { base, bump0, bump1, bump2, bump3, highWords, startsFrom } from "./rows.as";

let origin: u32 = 0;
let most: u32 = 0;
let shift: u32 = 0;
/** A power of two: half of the thresholds that the fullest cell may have, and one. */
let half: u32 = 0;
/** Where NaN stands behind the thresholds. */
let beyond: u32 = 0;

export function lanes_search(step: u32, thresholds: u32): void {
  half = step;
  beyond = thresholds + 1;
}

/** Cells by keys: (clamp(high word of the key, from, to) - from) >> by, and 1. */
export function lanes_keys(from: u32, to: u32, by: u32): void {
  origin = from;
  most = to;
  shift = by;
}

export function count_line_f32(ptr: u32, n: u32): void {
  search<f32, f32>(ptr, n, false);
}
export function count_line_f64(ptr: u32, n: u32): void {
  search<f64, f64>(ptr, n, false);
}
export function count_line_u32(ptr: u32, n: u32): void {
  search<u32, f64>(ptr, n, false);
}
export function count_line_i32(ptr: u32, n: u32): void {
  search<i32, f64>(ptr, n, false);
}
export function count_keys_f32(ptr: u32, n: u32): void {
  search<f32, f32>(ptr, n, true);
}
export function count_keys_f64(ptr: u32, n: u32): void {
  search<f64, f64>(ptr, n, true);
}
export function count_keys_u32(ptr: u32, n: u32): void {
  search<u32, f64>(ptr, n, true);
}
export function count_keys_i32(ptr: u32, n: u32): void {
  search<i32, f64>(ptr, n, true);
}

/** T: the sample; V: the float that it is compared as. */
@inline function search<T, V>(ptr: u32, n: u32, byKeys: bool): void {
  const end = ptr + n * sizeof<T>();
  for (const whole = ptr + (n & ~3) * sizeof<T>(); ptr < whole; ptr += 4 * sizeof<T>()) {
    const at = starts<V>(floats<T>(ptr), sizeof<V>() == 8 ? floats<T>(ptr + 2 * sizeof<T>()) : v128.splat<i32>(0), byKeys);
    bump0(row<V>(load<u32>(i32x4.extract_lane(at, 0)), <V>load<T>(ptr)));
    bump1(row<V>(load<u32>(i32x4.extract_lane(at, 1)), <V>load<T>(ptr, sizeof<T>())));
    bump2(row<V>(load<u32>(i32x4.extract_lane(at, 2)), <V>load<T>(ptr, sizeof<T>() * 2)));
    bump3(row<V>(load<u32>(i32x4.extract_lane(at, 3)), <V>load<T>(ptr, sizeof<T>() * 3)));
  }
  for (; ptr < end; ptr += sizeof<T>()) {
    const value = <V>load<T>(ptr);
    const all = v128.splat<V>(value);
    bump0(row<V>(load<u32>(i32x4.extract_lane(starts<V>(all, all, byKeys), 0)), value));
  }
}

/** Four floats, or two doubles. */
@inline function floats<T>(ptr: u32): v128 {
  if (isFloat<T>()) return v128.load(ptr);
  const two = v128.load64_zero(ptr);
  return isSigned<T>() ? f64x2.convert_low_i32x4_s(two) : f64x2.convert_low_i32x4_u(two);
}

/** Where the first rows of four samples' cells stand. */
@inline function starts<V>(first: v128, second: v128, byKeys: bool): v128 {
  if (!byKeys) return i32x4.add(i32x4.shl(lineCells<V>(first, second), 2), startsFrom(lineBias<V>()));
  const bits = sizeof<V>() == 4 ? first : highWords(first, second);
  const key = v128.xor(bits, v128.or(i32x4.shr_s(bits, 31), i32x4.splat(i32.MIN_VALUE)));
  const within = i32x4.min_u(i32x4.max_u(key, i32x4.splat(origin)), i32x4.splat(most));
  const cell = i32x4.add(i32x4.shr_u(i32x4.sub(within, i32x4.splat(origin)), shift), i32x4.splat(1));
  const told =
    sizeof<V>() == 4 ? f32x4.eq(first, first) : highWords(f64x2.eq(first, first), f64x2.eq(second, second));
  return i32x4.add(i32x4.shl(v128.and(cell, told), 2), startsFrom(0));
}

/** The address of a sample's row, at or behind `start`. */
@inline function row<V>(start: u32, value: V): u32 {
  const thresholds = base + LOWERING;
  const end = beyond;
  let found = start;
  for (let step = half; step; step >>= 1) {
    const next = found + step;
    // The threshold before row `next`: behind the last one there is none, and before the first is what NaN looks at.
    const at = min(next - 1, end);
    found = select<u32>(next, found, load<V>(thresholds + at * sizeof<V>()) <= value);
  }
  return (found << 4) + base + TABLES;
}
