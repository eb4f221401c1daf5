// Exact sums of a step of at most STEP values and of their squares.
//
//   VALUES    the values: doubles or 64-bit integers. A double more may be written behind the last one.
//   WEIGHTS   how often each value occurs, as doubles that add up to at most STEP
//   FLOATS    f32 values, which `promote` turns into VALUES
//   OUT       the results, described at each function
//
// Bound: digits_once takes 18 additions and multiplications per double, in vectors of two.
// Source: polybin. Doubles are cut into limbs as in Demmel and Nguyen's reproducible sums: adding and subtracting
// 1.5 * 2^(52 + n) rounds to a multiple of 2^n.

import { DIGIT_BITS, STEP } from "./generated/limits.as";

export const OUT: u32 = 512;
export const VALUES: u32 = 1024;
export const WEIGHTS: u32 = VALUES + STEP * 8 + 64;
export const FLOATS: u32 = WEIGHTS + STEP * 8 + 64;

/** The factor from the unit of a digit to that of the next one. */
const DIGIT: f64 = 1.0 / <f64>(1 << DIGIT_BITS);
const WORD: u64 = 0xffff_ffff;
/** 1.5 * 2^52 */
const ROUNDING: f64 = 6755399441055744.0;

/** Turns f32 values into doubles. */
export function promote(count: u32): void {
  for (let i: u32 = 0; i < count; i += 2) {
    v128.store(VALUES + i * 8, f64x2.promote_low_f32x4(v128.load64_zero(FLOATS + i * 4)));
  }
}

/** OUT: the smallest and the largest value, and a number that is NaN if a value is NaN or infinite. count is at least 1. */
export function extent(count: u32): void {
  // An odd number of values becomes even.
  store<f64>(VALUES + count * 8, load<f64>(VALUES));
  let low = v128.load(VALUES);
  let low2 = low;
  let high = low;
  let high2 = low;
  let special = f64x2.splat(0);
  let special2 = special;
  const end = VALUES + ((count + 1) & ~1) * 8;
  const whole = VALUES + (count & ~3) * 8;
  let at: u32 = VALUES;
  for (; at < whole; at += 32) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    low = f64x2.pmin(low, a);
    high = f64x2.pmax(high, a);
    special = f64x2.add(special, f64x2.sub(a, a));
    low2 = f64x2.pmin(low2, b);
    high2 = f64x2.pmax(high2, b);
    special2 = f64x2.add(special2, f64x2.sub(b, b));
  }
  for (; at < end; at += 16) {
    const a = v128.load(at);
    low = f64x2.pmin(low, a);
    high = f64x2.pmax(high, a);
    special = f64x2.add(special, f64x2.sub(a, a));
  }
  low = f64x2.pmin(low, low2);
  high = f64x2.pmax(high, high2);
  store<f64>(OUT, min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1)));
  store<f64>(OUT + 8, max(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)));
  store<f64>(OUT + 16, sumOf(f64x2.add(special, special2)));
}

@inline function sumOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}

@inline function roundedTo(x: v128, rounding: v128): v128 {
  return f64x2.sub(f64x2.add(x, rounding), rounding);
}

/** OUT: the sums of integers of at most DIGIT_BITS bits and of their squares. */
export function small(count: u32): void {
  store<f64>(VALUES + count * 8, 0);
  let sum = f64x2.splat(0);
  let squares = sum;
  const end = VALUES + count * 8;
  for (let at: u32 = VALUES; at < end; at += 16) {
    const x = v128.load(at);
    sum = f64x2.add(sum, x);
    squares = f64x2.add(squares, f64x2.mul(x, x));
  }
  store<f64>(OUT, sumOf(sum));
  store<f64>(OUT, sumOf(squares), 8);
}

/**
 * Cuts the finite doubles with indices from `from` to `count`, which are below 2^(DIGIT_BITS - 1) * unit, into four digits. The first one is a
 * multiple of unit, and each next one of 2^-DIGIT_BITS times the unit before. They have at most DIGIT_BITS - 1 bits and a sign.
 *
 * OUT: the sums of the values' upper two digits and of their lower two. Then, for n from 2 to 8, the sum of the products of
 * digits i and j with i + j = n. For odd n it is half of this sum.
 * Returns 0 if a value has bits below its four digits. The sums are useless then.
 */
export function digits_once(from: u32, count: u32, unit: f64): u32 {
  return digits(from, count, unit, false);
}

/** The same, where each value and product counts as often as the value's weight says. */
export function digits_weighted(from: u32, count: u32, unit: f64): u32 {
  return digits(from, count, unit, true);
}

@inline function digits(from: u32, count: u32, unit: f64, weighted: bool): u32 {
  // An odd number of values becomes even.
  store<f64>(VALUES + count * 8, 0);
  if (weighted) store<f64>(WEIGHTS + count * 8, 0);
  const first = f64x2.splat(ROUNDING * unit);
  const second = f64x2.splat(ROUNDING * unit * DIGIT);
  const third = f64x2.splat(ROUNDING * unit * DIGIT * DIGIT);
  const fourth = f64x2.splat(ROUNDING * unit * DIGIT * DIGIT * DIGIT);
  let upper = f64x2.splat(0);
  let lower = upper;
  let p2 = upper;
  let p3 = upper;
  let p4 = upper;
  let p5 = upper;
  let p6 = upper;
  let p7 = upper;
  let p8 = upper;
  let left = upper;
  const end = VALUES + count * 8;
  for (let at: u32 = VALUES + from * 8; at < end; at += 16) {
    const x = v128.load(at);
    const a = roundedTo(x, first);
    const afterA = f64x2.sub(x, a);
    const b = roundedTo(afterA, second);
    const afterB = f64x2.sub(afterA, b);
    const c = roundedTo(afterB, third);
    const afterC = f64x2.sub(afterB, c);
    const d = roundedTo(afterC, fourth);
    left = v128.or(left, f64x2.sub(afterC, d));
    const twice = f64x2.add(a, a);
    let upperOne = f64x2.add(a, b);
    let lowerOne = f64x2.add(c, d);
    let q2 = f64x2.mul(a, a);
    let q3 = f64x2.mul(a, b);
    let q4 = f64x2.add(f64x2.mul(twice, c), f64x2.mul(b, b));
    let q5 = f64x2.add(f64x2.mul(a, d), f64x2.mul(b, c));
    let q6 = f64x2.add(f64x2.mul(f64x2.add(b, b), d), f64x2.mul(c, c));
    let q7 = f64x2.mul(c, d);
    let q8 = f64x2.mul(d, d);
    if (weighted) {
      const weight = v128.load(at, WEIGHTS - VALUES);
      upperOne = f64x2.mul(upperOne, weight);
      lowerOne = f64x2.mul(lowerOne, weight);
      q2 = f64x2.mul(q2, weight);
      q3 = f64x2.mul(q3, weight);
      q4 = f64x2.mul(q4, weight);
      q5 = f64x2.mul(q5, weight);
      q6 = f64x2.mul(q6, weight);
      q7 = f64x2.mul(q7, weight);
      q8 = f64x2.mul(q8, weight);
    }
    upper = f64x2.add(upper, upperOne);
    lower = f64x2.add(lower, lowerOne);
    p2 = f64x2.add(p2, q2);
    p3 = f64x2.add(p3, q3);
    p4 = f64x2.add(p4, q4);
    p5 = f64x2.add(p5, q5);
    p6 = f64x2.add(p6, q6);
    p7 = f64x2.add(p7, q7);
    p8 = f64x2.add(p8, q8);
  }
  store<f64>(OUT, sumOf(upper));
  store<f64>(OUT, sumOf(lower), 8);
  store<f64>(OUT, sumOf(p2), 16);
  store<f64>(OUT, sumOf(p3), 24);
  store<f64>(OUT, sumOf(p4), 32);
  store<f64>(OUT, sumOf(p5), 40);
  store<f64>(OUT, sumOf(p6), 48);
  store<f64>(OUT, sumOf(p7), 56);
  store<f64>(OUT, sumOf(p8), 64);
  // The sign of a zero does not count.
  return v128.any_true(i64x2.shl(left, 1)) ? 0 : 1;
}

/** OUT: the smallest and the largest integer. `flip` is 2^63 for unsigned ones, and these have it in OUT, too. */
export function extent_whole(count: u32, flip: u64): void {
  let low = <i64>(load<u64>(VALUES) ^ flip);
  let high = low;
  const end = VALUES + count * 8;
  for (let at: u32 = VALUES; at < end; at += 8) {
    const x = <i64>(load<u64>(at) ^ flip);
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
  store<i64>(OUT, low);
  store<i64>(OUT, high, 8);
}

/**
 * Adds the distances of integers from `base`, which are below 2^32, and their squares.
 * OUT: the sum of the distances, and the sums of the lower and the upper 32 bits of their squares.
 */
export function near(count: u32, base: u64): void {
  let sum: u64 = 0;
  let lower: u64 = 0;
  let upper: u64 = 0;
  const end = VALUES + count * 8;
  for (let at: u32 = VALUES; at < end; at += 8) {
    const x = load<u64>(at) - base;
    const square = x * x;
    sum += x;
    lower += square & WORD;
    upper += square >> 32;
  }
  store<u64>(OUT, sum);
  store<u64>(OUT, lower, 8);
  store<u64>(OUT, upper, 16);
}

/**
 * Adds the distances of integers from `base`, which are below 2^64, and their squares. A distance is upper * 2^32 + lower.
 * OUT: the sums of lower and upper; then the sums of the lower and the upper 32 bits of lower^2, lower * upper and upper^2.
 */
export function far(count: u32, base: u64): void {
  let s0: u64 = 0;
  let s1: u64 = 0;
  let ll0: u64 = 0;
  let ll1: u64 = 0;
  let lu0: u64 = 0;
  let lu1: u64 = 0;
  let uu0: u64 = 0;
  let uu1: u64 = 0;
  const end = VALUES + count * 8;
  for (let at: u32 = VALUES; at < end; at += 8) {
    const x = load<u64>(at) - base;
    const lower = x & WORD;
    const upper = x >> 32;
    s0 += lower;
    s1 += upper;
    const ll = lower * lower;
    ll0 += ll & WORD;
    ll1 += ll >> 32;
    const lu = lower * upper;
    lu0 += lu & WORD;
    lu1 += lu >> 32;
    const uu = upper * upper;
    uu0 += uu & WORD;
    uu1 += uu >> 32;
  }
  store<u64>(OUT, s0);
  store<u64>(OUT, s1, 8);
  store<u64>(OUT, ll0, 16);
  store<u64>(OUT, ll1, 24);
  store<u64>(OUT, lu0, 32);
  store<u64>(OUT, lu1, 40);
  store<u64>(OUT, uu0, 48);
  store<u64>(OUT, uu1, 56);
}

/** Turns integers into doubles where they lie. Returns the bits that any of the integers plus `offset` has. */
export function doubles(count: u32, offset: u64): u64 {
  let bits: u64 = 0;
  const end = VALUES + count * 8;
  for (let at: u32 = VALUES; at < end; at += 8) {
    const x = load<i64>(at);
    bits |= <u64>x + offset;
    store<f64>(at, <f64>x);
  }
  return bits;
}

/** The first of the slots behind everything else. A slot has four planes of digits and one of weights that are 0 or 1. */
export const SLOTS: u32 = FLOATS + STEP * 4 + 64;
/** Bytes of a plane, which has room for one value more. */
const PLANE: u32 = STEP * 8 + 64;
export const SLOT_BYTES: u32 = 5 * PLANE;
const WEIGHT: u32 = 4 * PLANE;

/** Cuts the values as `digits_once` does, into the planes of a slot. Returns 0 if a value has bits below its four digits. */
export function cut(slot: u32, count: u32, unit: f64): u32 {
  // An odd number of values becomes even.
  store<f64>(VALUES + count * 8, 0);
  store<f64>(slot + WEIGHT + count * 8, 0);
  const first = f64x2.splat(ROUNDING * unit);
  const second = f64x2.splat(ROUNDING * unit * DIGIT);
  const third = f64x2.splat(ROUNDING * unit * DIGIT * DIGIT);
  const fourth = f64x2.splat(ROUNDING * unit * DIGIT * DIGIT * DIGIT);
  let left = f64x2.splat(0);
  for (let at: u32 = 0; at < count * 8; at += 16) {
    const x = v128.load(VALUES + at);
    const a = roundedTo(x, first);
    const afterA = f64x2.sub(x, a);
    const b = roundedTo(afterA, second);
    const afterB = f64x2.sub(afterA, b);
    const c = roundedTo(afterB, third);
    const afterC = f64x2.sub(afterB, c);
    const d = roundedTo(afterC, fourth);
    left = v128.or(left, f64x2.sub(afterC, d));
    v128.store(slot + at, a);
    v128.store(slot + at, b, PLANE);
    v128.store(slot + at, c, 2 * PLANE);
    v128.store(slot + at, d, 3 * PLANE);
  }
  return v128.any_true(i64x2.shl(left, 1)) ? 0 : 1;
}

/** OUT: for n from 2 to 8, the sum of the products of digits i of one slot and j of the other with i + j = n. */
export function products(one: u32, other: u32, count: u32): void {
  let p2 = f64x2.splat(0);
  let p3 = p2;
  let p4 = p2;
  let p5 = p2;
  let p6 = p2;
  let p7 = p2;
  let p8 = p2;
  for (let at: u32 = 0; at < count * 8; at += 16) {
    const a = v128.load(one + at);
    const b = v128.load(one + at, PLANE);
    const c = v128.load(one + at, 2 * PLANE);
    const d = v128.load(one + at, 3 * PLANE);
    const e = v128.load(other + at);
    const f = v128.load(other + at, PLANE);
    const g = v128.load(other + at, 2 * PLANE);
    const h = v128.load(other + at, 3 * PLANE);
    p2 = f64x2.add(p2, f64x2.mul(a, e));
    p3 = f64x2.add(p3, f64x2.add(f64x2.mul(a, f), f64x2.mul(b, e)));
    p4 = f64x2.add(p4, f64x2.add(f64x2.add(f64x2.mul(a, g), f64x2.mul(b, f)), f64x2.mul(c, e)));
    p5 = f64x2.add(
      p5,
      f64x2.add(f64x2.add(f64x2.mul(a, h), f64x2.mul(b, g)), f64x2.add(f64x2.mul(c, f), f64x2.mul(d, e))),
    );
    p6 = f64x2.add(p6, f64x2.add(f64x2.add(f64x2.mul(b, h), f64x2.mul(c, g)), f64x2.mul(d, f)));
    p7 = f64x2.add(p7, f64x2.add(f64x2.mul(c, h), f64x2.mul(d, g)));
    p8 = f64x2.add(p8, f64x2.mul(d, h));
  }
  store<f64>(OUT, sumOf(p2));
  store<f64>(OUT, sumOf(p3), 8);
  store<f64>(OUT, sumOf(p4), 16);
  store<f64>(OUT, sumOf(p5), 24);
  store<f64>(OUT, sumOf(p6), 32);
  store<f64>(OUT, sumOf(p7), 40);
  store<f64>(OUT, sumOf(p8), 48);
}

/** OUT: the same numbers as those of `digits_weighted`, for the values of a slot and the weights of another one. */
export function masked(slot: u32, weights: u32, count: u32): void {
  let upper = f64x2.splat(0);
  let lower = upper;
  let p2 = upper;
  let p3 = upper;
  let p4 = upper;
  let p5 = upper;
  let p6 = upper;
  let p7 = upper;
  let p8 = upper;
  for (let at: u32 = 0; at < count * 8; at += 16) {
    const weight = v128.load(weights + at, WEIGHT);
    const a = f64x2.mul(v128.load(slot + at), weight);
    const b = f64x2.mul(v128.load(slot + at, PLANE), weight);
    const c = f64x2.mul(v128.load(slot + at, 2 * PLANE), weight);
    const d = f64x2.mul(v128.load(slot + at, 3 * PLANE), weight);
    upper = f64x2.add(upper, f64x2.add(a, b));
    lower = f64x2.add(lower, f64x2.add(c, d));
    p2 = f64x2.add(p2, f64x2.mul(a, a));
    p3 = f64x2.add(p3, f64x2.mul(a, b));
    p4 = f64x2.add(p4, f64x2.add(f64x2.mul(f64x2.add(a, a), c), f64x2.mul(b, b)));
    p5 = f64x2.add(p5, f64x2.add(f64x2.mul(a, d), f64x2.mul(b, c)));
    p6 = f64x2.add(p6, f64x2.add(f64x2.mul(f64x2.add(b, b), d), f64x2.mul(c, c)));
    p7 = f64x2.add(p7, f64x2.mul(c, d));
    p8 = f64x2.add(p8, f64x2.mul(d, d));
  }
  store<f64>(OUT, sumOf(upper));
  store<f64>(OUT, sumOf(lower), 8);
  store<f64>(OUT, sumOf(p2), 16);
  store<f64>(OUT, sumOf(p3), 24);
  store<f64>(OUT, sumOf(p4), 32);
  store<f64>(OUT, sumOf(p5), 40);
  store<f64>(OUT, sumOf(p6), 48);
  store<f64>(OUT, sumOf(p7), 56);
  store<f64>(OUT, sumOf(p8), 64);
}
