// Samples over edges that are evenly spaced, or all but: a multiplication guesses the row, one comparison decides.
//
//   LOWERING   thresholds[0 … last + 1]   values of the samples' own type; [0] and the last are NaN, which nothing reaches
//   TABLES     as rows.as.ts has them
//
//   nearest    cell = round((clamp(sample) - origin) * scale) + 1;   row = cell + (thresholds[cell] <= sample)
//   exact      row = floor((clamp(sample) - origin) * scale) + 2 + (last < sample)
//
// The host proves for every axis that its guess, which never falls as samples rise, finds the right row, or the one
// below (line.ts): so the comparison is all that exactness needs; and where the guess is never off, none but that
// with the end of the axis, which belongs to the last bin. NaN goes through the two ends of the clamp, and a third
// puts it in row 0.
//
// A float between 2^23 and 2^24 holds a cell in its low bits, a double between 2^52 and 2^53 in its low word or, less
// 32 bits of fraction, in its high one.
//
// Bound: f32 13, f64 14, 32-bit integers 9 instructions a sample, of which 4 are the increment.
// Source: ours; the rule is core's ranks.ts.
import { bump0, bumpAll, highWords, lowWords, tableFrom, thresholdsFrom } from "./rows.as";

/** High word of 2^52, and bits of 1.5 * 2^23: what stands above a cell. */
const HIGH_BIAS: u32 = 0x43300000;
const FLOAT_BIAS: u32 = 0x4b400000;

let low: f64 = 0;
let high: f64 = 0;
/** A value below `low`, whose cell is 0. */
let lost: f64 = 0;
let origin: f64 = 0;
let scale: f64 = 0;
let bias: f64 = 0;
/** The last value that is no overflow. */
let last: f64 = 0;

/** Clamps, and the numbers of the formulas below, in which line.ts calculates as well. */
export function lanes_line(from: f64, to: f64, nan: f64, at: f64, by: f64, add: f64, end: f64): void {
  low = from;
  high = to;
  lost = nan;
  origin = at;
  scale = by;
  bias = add;
  last = end;
}

/** Within the two ends, NaN at `nan`. Each operation returns its first operand where one is NaN. */
@inline function clamp32(values: v128): v128 {
  const ends = f32x4.pmin(f32x4.pmax(values, f32x4.splat(<f32>low)), f32x4.splat(<f32>high));
  return f32x4.pmax(f32x4.splat(<f32>lost), ends);
}

@inline function clamp64(values: v128): v128 {
  const ends = f64x2.pmin(f64x2.pmax(values, f64x2.splat(low)), f64x2.splat(high));
  return f64x2.pmax(f64x2.splat(lost), ends);
}

/** (sample - origin) * scale */
@inline function along32(values: v128): v128 {
  return f32x4.mul(f32x4.sub(clamp32(values), f32x4.splat(<f32>origin)), f32x4.splat(<f32>scale));
}

/** Four cells, FLOAT_BIAS too much: round((sample - origin) * scale + bias) */
@inline function cells32(values: v128): v128 {
  return f32x4.add(along32(values), f32x4.splat(<f32>bias));
}

/** Two cells in the high words: (sample * scale + bias) / 2^32 */
@inline function cells64(values: v128): v128 {
  return f64x2.add(f64x2.mul(clamp64(values), f64x2.splat(scale)), f64x2.splat(bias));
}

// -- f32 ------------------------------------------------------------------------------------------------

export function count_nearest_f32(ptr: u32, n: u32): void {
  const end = ptr + n * 4;
  for (const whole = ptr + (n & ~3) * 4; ptr < whole; ptr += 16) bumpAll(nearest32(v128.load(ptr)));
  for (; ptr < end; ptr += 4) bump0(i32x4.extract_lane(nearest32(v128.load32_splat(ptr)), 0));
}

@inline function nearest32(values: v128): v128 {
  const cell = cells32(values);
  const at = i32x4.add(i32x4.shl(cell, 2), thresholdsFrom<f32>(FLOAT_BIAS));
  let edges = v128.load32_zero(i32x4.extract_lane(at, 0));
  edges = v128.load_lane<u32>(i32x4.extract_lane(at, 1), edges, 1);
  edges = v128.load_lane<u32>(i32x4.extract_lane(at, 2), edges, 2);
  edges = v128.load_lane<u32>(i32x4.extract_lane(at, 3), edges, 3);
  // A mask counts as -1.
  const row = i32x4.sub(cell, f32x4.le(edges, values));
  return i32x4.add(i32x4.shl(row, 4), tableFrom(FLOAT_BIAS));
}

export function count_exact_f32(ptr: u32, n: u32): void {
  const end = ptr + n * 4;
  for (const whole = ptr + (n & ~3) * 4; ptr < whole; ptr += 16) bumpAll(exact32(v128.load(ptr)));
  for (; ptr < end; ptr += 4) bump0(i32x4.extract_lane(exact32(v128.load32_splat(ptr)), 0));
}

/** floor((sample - origin) * scale) + bias */
@inline function exact32(values: v128): v128 {
  const bin = f32x4.add(f32x4.floor(along32(values)), f32x4.splat(<f32>bias));
  const row = i32x4.sub(bin, f32x4.gt(values, f32x4.splat(<f32>last)));
  return i32x4.add(i32x4.shl(row, 4), tableFrom(FLOAT_BIAS));
}

// -- f64 ------------------------------------------------------------------------------------------------

export function count_nearest_f64(ptr: u32, n: u32): void {
  const end = ptr + n * 8;
  for (const whole = ptr + (n & ~3) * 8; ptr < whole; ptr += 32) bumpAll(nearest64(v128.load(ptr), v128.load(ptr, 16)));
  for (; ptr < end; ptr += 8) {
    const one = v128.load64_splat(ptr);
    bump0(i32x4.extract_lane(nearest64(one, one), 0));
  }
}

@inline function nearest64(first: v128, second: v128): v128 {
  const cell = highWords(cells64(first), cells64(second));
  const at = i32x4.add(i32x4.shl(cell, 3), thresholdsFrom<f64>(HIGH_BIAS));
  const one = v128.load_lane<u64>(i32x4.extract_lane(at, 1), v128.load64_zero(i32x4.extract_lane(at, 0)), 1);
  const two = v128.load_lane<u64>(i32x4.extract_lane(at, 3), v128.load64_zero(i32x4.extract_lane(at, 2)), 1);
  const row = i32x4.sub(cell, lowWords(f64x2.le(one, first), f64x2.le(two, second)));
  return i32x4.add(i32x4.shl(row, 4), tableFrom(HIGH_BIAS));
}

export function count_exact_f64(ptr: u32, n: u32): void {
  const end = ptr + n * 8;
  for (const whole = ptr + (n & ~3) * 8; ptr < whole; ptr += 32) bumpAll(exact64(v128.load(ptr), v128.load(ptr, 16)));
  for (; ptr < end; ptr += 8) {
    const one = v128.load64_splat(ptr);
    bump0(i32x4.extract_lane(exact64(one, one), 0));
  }
}

@inline function exact64(first: v128, second: v128): v128 {
  const end = f64x2.splat(last);
  const row = i32x4.sub(
    lowWords(bins64(first), bins64(second)),
    lowWords(f64x2.gt(first, end), f64x2.gt(second, end)),
  );
  return i32x4.add(i32x4.shl(row, 4), tableFrom(0));
}

/** Two rows in the low words: floor((sample - origin) * scale) + bias */
@inline function bins64(values: v128): v128 {
  const along = f64x2.mul(f64x2.sub(clamp64(values), f64x2.splat(origin)), f64x2.splat(scale));
  return f64x2.add(f64x2.floor(along), f64x2.splat(bias));
}

// -- u32 and i32: in doubles, which hold them all --------------------------------------------------------

export function count_exact_u32(ptr: u32, n: u32): void {
  exactWords<u32>(ptr, n);
}
export function count_exact_i32(ptr: u32, n: u32): void {
  exactWords<i32>(ptr, n);
}

@inline function exactWords<T>(ptr: u32, n: u32): void {
  const end = ptr + n * 4;
  for (const whole = ptr + (n & ~3) * 4; ptr < whole; ptr += 16) bumpAll(exactWord<T>(v128.load(ptr)));
  for (; ptr < end; ptr += 4) bump0(i32x4.extract_lane(exactWord<T>(v128.load32_splat(ptr)), 0));
}

/** Unsigned ones are lowered by 2^31, and the line with them. */
@inline function exactWord<T>(values: v128): v128 {
  const signed = isSigned<T>() ? values : v128.xor(values, i32x4.splat(i32.MIN_VALUE));
  const within = i32x4.min_s(i32x4.max_s(signed, i32x4.splat(<i32>low)), i32x4.splat(<i32>high));
  const upper = v128.shuffle<u32>(within, within, 2, 3, 2, 3);
  const by = f64x2.splat(scale);
  const add = f64x2.splat(bias);
  const bin = highWords(
    f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(within), by), add),
    f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(upper), by), add),
  );
  const row = i32x4.sub(bin, i32x4.gt_s(signed, i32x4.splat(<i32>last)));
  return i32x4.add(i32x4.shl(row, 4), tableFrom(HIGH_BIAS));
}

// -- What cells.as.ts takes from here ----------------------------------------------------------------------

/** Four cells along the line, of which `lineBias` is too much. */
@inline export function lineCells<T>(first: v128, second: v128): v128 {
  return sizeof<T>() == 4 ? cells32(first) : highWords(cells64(first), cells64(second));
}

@inline export function lineBias<T>(): u32 {
  return sizeof<T>() == 4 ? FLOAT_BIAS : HIGH_BIAS;
}
