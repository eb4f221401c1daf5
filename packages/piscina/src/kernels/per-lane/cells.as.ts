// Samples over edges of any spacing. A cell of the samples' range gives the first candidate among the thresholds. Then
// every sample takes as many halvings as the fullest cell needs.
//
//   STARTS     [cell]                     the first row of the cell, 32 bits; cell 0 is for NaN, with row 0
//   LOWERING   thresholds[0 … last + 1]   as in line.as.ts; as doubles for integers
//   TABLES     as in rows.as.ts
//
//   line   cells of equal width          keys   cells with equal numbers of keys: for floats a fixed number per octave
//
// As samples rise, the cell never falls, however it is rounded, and the comparisons decide. So any cells give exact
// results.
//
// Bound: a start, a threshold per halving and an increment. Each waits for the one before.
// Source: polybin; core's ranks.ts has the rule.
import { LOWERING, TABLES } from "../lib/memory.as";
import { clamp32, clamp64, FLOAT_BIAS, HIGH_BIAS, splatBias, splatHigh, splatLost, splatLow, splatOrigin, splatScale } from "./line.as";
import { base, bump0, bump1, bump2, bump3, highWords, startsFrom } from "./rows.as";

let origin: u32 = 0;
let most: u32 = 0;
let shift: u32 = 0;
/** A power of two: half of the thresholds that the fullest cell may have, and one. */
let half: u32 = 0;
/** The place of NaN after the thresholds. */
let beyond: u32 = 0;

export function lanes_search(step: u32, thresholds: u32): void {
  half = step;
  beyond = thresholds + 1;
}

/** Cells by keys: (clamp(high word of the key, from, to) - from) >> by, plus 1. */
export function lanes_keys(from: u32, to: u32, by: u32): void {
  origin = from;
  most = to;
  shift = by;
}

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
  const first = startsFrom(sizeof<V>() == 4 ? FLOAT_BIAS : HIGH_BIAS);
  const end = ptr + n * sizeof<T>();
  for (const whole = ptr + (n & ~3) * sizeof<T>(); ptr < whole; ptr += 4 * sizeof<T>()) {
    let cells: v128;
    if (sizeof<V>() == 4) {
      cells = f32x4.add(f32x4.mul(f32x4.sub(clamp32(v128.load(ptr), from, to, nan), at), by), add);
    } else {
      const one = clamp64(doubles<T>(ptr), from, to, nan);
      const two = clamp64(doubles<T>(ptr + 2 * sizeof<T>()), from, to, nan);
      cells = highWords(f64x2.add(f64x2.mul(one, by), add), f64x2.add(f64x2.mul(two, by), add));
    }
    countFour<T, V>(ptr, i32x4.add(i32x4.shl(cells, 2), first));
  }
  for (; ptr < end; ptr += sizeof<T>()) {
    const all = v128.splat<V>(<V>load<T>(ptr));
    let cells: v128;
    if (sizeof<V>() == 4) {
      cells = f32x4.add(f32x4.mul(f32x4.sub(clamp32(all, from, to, nan), at), by), add);
    } else {
      const along = f64x2.add(f64x2.mul(clamp64(all, from, to, nan), by), add);
      cells = highWords(along, along);
    }
    countOne<T, V>(ptr, i32x4.add(i32x4.shl(cells, 2), first));
  }
}

@inline function byKeys<T, V>(ptr: u32, n: u32): void {
  const from = i32x4.splat(origin);
  const to = i32x4.splat(most);
  const by = shift;
  const first = startsFrom(0);
  const end = ptr + n * sizeof<T>();
  for (const whole = ptr + (n & ~3) * sizeof<T>(); ptr < whole; ptr += 4 * sizeof<T>()) {
    if (sizeof<V>() == 4) {
      const values = v128.load(ptr);
      countFour<T, V>(ptr, keyed(values, f32x4.eq(values, values), from, to, by, first));
    } else {
      const one = doubles<T>(ptr);
      const two = doubles<T>(ptr + 2 * sizeof<T>());
      const told = highWords(f64x2.eq(one, one), f64x2.eq(two, two));
      countFour<T, V>(ptr, keyed(highWords(one, two), told, from, to, by, first));
    }
  }
  for (; ptr < end; ptr += sizeof<T>()) {
    const all = v128.splat<V>(<V>load<T>(ptr));
    if (sizeof<V>() == 4) countOne<T, V>(ptr, keyed(all, f32x4.eq(all, all), from, to, by, first));
    else countOne<T, V>(ptr, keyed(highWords(all, all), f64x2.eq(all, all), from, to, by, first));
  }
}

/** Returns the addresses of four samples' starts, from the bits or high words of floats. `told` is false for NaN. */
@inline function keyed(bits: v128, told: v128, from: v128, to: v128, by: u32, first: v128): v128 {
  const key = v128.xor(bits, v128.or(i32x4.shr_s(bits, 31), i32x4.splat(i32.MIN_VALUE)));
  const within = i32x4.min_u(i32x4.max_u(key, from), to);
  const cell = i32x4.add(i32x4.shr_u(i32x4.sub(within, from), by), i32x4.splat(1));
  return i32x4.add(i32x4.shl(v128.and(cell, told), 2), first);
}

@inline function doubles<T>(ptr: u32): v128 {
  if (isFloat<T>()) return v128.load(ptr);
  const two = v128.load64_zero(ptr);
  return isSigned<T>() ? f64x2.convert_low_i32x4_s(two) : f64x2.convert_low_i32x4_u(two);
}

/** Counts four samples from `ptr` on. `at` has the addresses of their starts. */
@inline function countFour<T, V>(ptr: u32, at: v128): void {
  bump0(row<V>(load<u32>(i32x4.extract_lane(at, 0)), <V>load<T>(ptr)));
  bump1(row<V>(load<u32>(i32x4.extract_lane(at, 1)), <V>load<T>(ptr, sizeof<T>())));
  bump2(row<V>(load<u32>(i32x4.extract_lane(at, 2)), <V>load<T>(ptr, sizeof<T>() * 2)));
  bump3(row<V>(load<u32>(i32x4.extract_lane(at, 3)), <V>load<T>(ptr, sizeof<T>() * 3)));
}

@inline function countOne<T, V>(ptr: u32, at: v128): void {
  bump0(row<V>(load<u32>(i32x4.extract_lane(at, 0)), <V>load<T>(ptr)));
}

/** Returns the address of a sample's row, at `start` or after it. */
@inline function row<V>(start: u32, value: V): u32 {
  const thresholds = base + LOWERING;
  const end = beyond;
  let found = start;
  for (let step = half; step; step >>= 1) {
    const next = found + step;
    // The threshold before row `next`. There is none after the last one, and the one before the first serves NaN.
    const at = min(next - 1, end);
    found = select<u32>(next, found, load<V>(thresholds + at * sizeof<V>()) <= value);
  }
  return (found << 4) + base + TABLES;
}
