// The rows of samples over edges of any spacing. A cell of the samples' range gives the first candidate among the
// thresholds. Then every sample takes as many halvings as the fullest cell needs.
//
//   STARTS     [cell]                     the first row of the cell, 32 bits; cell 0 is for NaN, with row 0
//   LOWERING   thresholds[0 … last + 1]   as in line.as.ts; as doubles for integers
//
//   line   cells of equal width          keys   cells with equal numbers of keys: for floats a fixed number per octave
//
// As samples rise, the cell never falls, however it is rounded, and the comparisons decide. So any cells give exact
// results.
//
// Bound: a start and a threshold per halving. Each waits for the one before.
// Source: polybin; core's ranks.ts has the rule.
import { LOWERING } from "../memory.as";
import { clamp32, clamp64, FLOAT_BIAS, HIGH_BIAS } from "./line.as";
import { base, highWords, startsFrom } from "./place.as";

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

// T: the sample; V: the float type that it is compared as.

/** Returns the base of the addresses that lineStarts returns. */
@inline export function lineBase<V>(): v128 {
  return startsFrom(sizeof<V>() == 4 ? FLOAT_BIAS : HIGH_BIAS);
}

/** Returns the addresses of four samples' starts, by cells of equal width. The vectors are those of line.as.ts. */
@inline export function lineStarts<T, V>(
  ptr: u32, from: v128, to: v128, nan: v128, at: v128, by: v128, add: v128, first: v128,
): v128 {
  let cells: v128;
  if (sizeof<V>() == 4) {
    cells = f32x4.add(f32x4.mul(f32x4.sub(clamp32(v128.load(ptr), from, to, nan), at), by), add);
  } else {
    const one = clamp64(doubles<T>(ptr), from, to, nan);
    const two = clamp64(doubles<T>(ptr + 2 * sizeof<T>()), from, to, nan);
    cells = highWords(f64x2.add(f64x2.mul(one, by), add), f64x2.add(f64x2.mul(two, by), add));
  }
  return i32x4.add(i32x4.shl(cells, 2), first);
}

/** Returns the address of one sample's start in every lane. */
@inline export function lineStart<T, V>(
  ptr: u32, from: v128, to: v128, nan: v128, at: v128, by: v128, add: v128, first: v128,
): v128 {
  const all = v128.splat<V>(<V>load<T>(ptr));
  let cells: v128;
  if (sizeof<V>() == 4) {
    cells = f32x4.add(f32x4.mul(f32x4.sub(clamp32(all, from, to, nan), at), by), add);
  } else {
    const along = f64x2.add(f64x2.mul(clamp64(all, from, to, nan), by), add);
    cells = highWords(along, along);
  }
  return i32x4.add(i32x4.shl(cells, 2), first);
}

@inline export function splatKeysFrom(): v128 {
  return i32x4.splat(origin);
}
@inline export function splatKeysTo(): v128 {
  return i32x4.splat(most);
}
@inline export function keysShift(): u32 {
  return shift;
}

/** Returns the addresses of four samples' starts, by cells with equal numbers of keys. */
@inline export function keyStarts<T, V>(ptr: u32, from: v128, to: v128, by: u32, first: v128): v128 {
  if (sizeof<V>() == 4) {
    const values = v128.load(ptr);
    return keyed(values, f32x4.eq(values, values), from, to, by, first);
  }
  const one = doubles<T>(ptr);
  const two = doubles<T>(ptr + 2 * sizeof<T>());
  const told = highWords(f64x2.eq(one, one), f64x2.eq(two, two));
  return keyed(highWords(one, two), told, from, to, by, first);
}

/** Returns the address of one sample's start in every lane. */
@inline export function keyStart<T, V>(ptr: u32, from: v128, to: v128, by: u32, first: v128): v128 {
  const all = v128.splat<V>(<V>load<T>(ptr));
  if (sizeof<V>() == 4) return keyed(all, f32x4.eq(all, all), from, to, by, first);
  return keyed(highWords(all, all), f64x2.eq(all, all), from, to, by, first);
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

/** Returns the row of the sample at `ptr`, at the start at `at` or after it. */
@inline export function rowFrom<T, V>(at: u32, ptr: u32): u32 {
  const thresholds = base + LOWERING;
  const end = beyond;
  const value = <V>load<T>(ptr);
  let found = load<u32>(at);
  for (let step = half; step; step >>= 1) {
    const next = found + step;
    // The threshold before row `next`. There is none after the last one, and the one before the first serves NaN.
    const at = min(next - 1, end);
    found = select<u32>(next, found, load<V>(thresholds + at * sizeof<V>()) <= value);
  }
  return found;
}
