// The rows of samples over evenly or nearly evenly spaced edges: a multiplication guesses the row, and one comparison
// decides.
//
//   LOWERING   thresholds[0 … last + 1]   values of the samples' own type; [0] and the last are NaN, which nothing reaches
//
//   row        0     1           2 … bins + 1   bins + 2
//              NaN   underflow   the bins       overflow
//
//   exact      row = floor((clamp(sample) - origin) * scale) + 2 + (last < sample)
//   nearest    row = round((clamp(sample) - origin) * scale) + 1, plus 1 if thresholds[that] <= sample
//
// The host proves for every axis that its guess finds the right row or the one below (line.ts). The guess never falls
// as samples rise. So one comparison is enough for exact results. If the guess is always right, only the end of the
// axis needs a comparison, because it belongs to the last bin. NaN passes the two ends of the clamp, and a third
// operation sends it to row 0.
//
// A float between 2^23 and 2^24 holds a cell in its low bits. A double between 2^52 and 2^53 holds it in its low word,
// or with 32 bits of fraction in its high word.
//
// A function returns the rows of four samples, plus the bias whose name it has.
//
// Bound: 9 instructions per f32 sample, 10 per f64 sample and 5 per 32-bit integer.
// Source: polybin; core's ranks.ts has the rule.
import { highWords, lowWords } from "./place.as";

/** The high word of 2^52, and the bits of 1.5 * 2^23: the bits above a cell. */
export const HIGH_BIAS: u32 = 0x43300000;
export const FLOAT_BIAS: u32 = 0x4b400000;

let low: f64 = 0;
let high: f64 = 0;
/** A value below `low`, whose cell is 0. */
let lost: f64 = 0;
let origin: f64 = 0;
let scale: f64 = 0;
let bias: f64 = 0;
/** The last value that is no overflow. */
let last: f64 = 0;

/** Sets the clamps and the numbers of the formulas below. line.ts computes with the same ones. */
export function lanes_line(from: f64, to: f64, nan: f64, at: f64, by: f64, add: f64, end: f64): void {
  low = from;
  high = to;
  lost = nan;
  origin = at;
  scale = by;
  bias = add;
  last = end;
}

// Functions load these numbers into vectors once per call and pass them on. A loop that used the globals would load and
// convert them on every turn.

/** Clamps to both ends and sends NaN to `nan`. Each operation returns its first operand if one operand is NaN. */
@inline export function clamp32(values: v128, from: v128, to: v128, nan: v128): v128 {
  return f32x4.pmax(nan, f32x4.pmin(f32x4.pmax(values, from), to));
}

@inline export function clamp64(values: v128, from: v128, to: v128, nan: v128): v128 {
  return f64x2.pmax(nan, f64x2.pmin(f64x2.pmax(values, from), to));
}

@inline export function splatLow<T>(): v128 {
  return v128.splat<T>(<T>low);
}
@inline export function splatHigh<T>(): v128 {
  return v128.splat<T>(<T>high);
}
@inline export function splatLost<T>(): v128 {
  return v128.splat<T>(<T>lost);
}
@inline export function splatOrigin<T>(): v128 {
  return v128.splat<T>(<T>origin);
}
@inline export function splatScale<T>(): v128 {
  return v128.splat<T>(<T>scale);
}
@inline export function splatBias<T>(): v128 {
  return v128.splat<T>(<T>bias);
}
@inline export function splatLast<T>(): v128 {
  return v128.splat<T>(<T>last);
}

// -- f32: the bias is FLOAT_BIAS --------------------------------------------------------------------------

@inline export function nearest32(
  values: v128, from: v128, to: v128, nan: v128, at: v128, by: v128, add: v128, thresholds: v128,
): v128 {
  const cell = f32x4.add(f32x4.mul(f32x4.sub(clamp32(values, from, to, nan), at), by), add);
  const edge = i32x4.add(i32x4.shl(cell, 2), thresholds);
  let edges = v128.load32_zero(i32x4.extract_lane(edge, 0));
  edges = v128.load_lane<u32>(i32x4.extract_lane(edge, 1), edges, 1);
  edges = v128.load_lane<u32>(i32x4.extract_lane(edge, 2), edges, 2);
  edges = v128.load_lane<u32>(i32x4.extract_lane(edge, 3), edges, 3);
  // A mask counts as -1.
  return i32x4.sub(cell, f32x4.le(edges, values));
}

@inline export function exact32(
  values: v128, from: v128, to: v128, nan: v128, at: v128, by: v128, add: v128, over: v128,
): v128 {
  const along = f32x4.mul(f32x4.sub(clamp32(values, from, to, nan), at), by);
  const bin = f32x4.add(f32x4.floor(along), add);
  return i32x4.sub(bin, f32x4.gt(values, over));
}

// -- f64: the bias is HIGH_BIAS for nearest, and 0 for exact ------------------------------------------------

@inline export function nearest64(
  first: v128, second: v128, from: v128, to: v128, nan: v128, by: v128, add: v128, thresholds: v128,
): v128 {
  const cell = highWords(
    f64x2.add(f64x2.mul(clamp64(first, from, to, nan), by), add),
    f64x2.add(f64x2.mul(clamp64(second, from, to, nan), by), add),
  );
  const at = i32x4.add(i32x4.shl(cell, 3), thresholds);
  const one = v128.load_lane<u64>(i32x4.extract_lane(at, 1), v128.load64_zero(i32x4.extract_lane(at, 0)), 1);
  const two = v128.load_lane<u64>(i32x4.extract_lane(at, 3), v128.load64_zero(i32x4.extract_lane(at, 2)), 1);
  return i32x4.sub(cell, lowWords(f64x2.le(one, first), f64x2.le(two, second)));
}

@inline export function exact64(
  first: v128, second: v128, from: v128, to: v128, nan: v128, at: v128, by: v128, add: v128, over: v128,
): v128 {
  const one = f64x2.floor(f64x2.mul(f64x2.sub(clamp64(first, from, to, nan), at), by));
  const two = f64x2.floor(f64x2.mul(f64x2.sub(clamp64(second, from, to, nan), at), by));
  const bin = lowWords(f64x2.add(one, add), f64x2.add(two, add));
  return i32x4.sub(bin, lowWords(f64x2.gt(first, over), f64x2.gt(second, over)));
}

// -- u32 and i32, in doubles, which represent all of them: the bias is HIGH_BIAS -----------------------------

/** Unsigned numbers are lowered by 2^31, and the line with them. */
@inline export function exactWord<T>(
  values: v128, from: v128, to: v128, by: v128, add: v128, over: v128,
): v128 {
  const signed = isSigned<T>() ? values : v128.xor(values, i32x4.splat(i32.MIN_VALUE));
  const within = i32x4.min_s(i32x4.max_s(signed, from), to);
  const upper = v128.shuffle<u32>(within, within, 2, 3, 2, 3);
  const bin = highWords(
    f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(within), by), add),
    f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(upper), by), add),
  );
  return i32x4.sub(bin, i32x4.gt_s(signed, over));
}
