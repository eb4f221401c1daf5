// lower: stage 1. Every stride-th sample becomes the number of its bin: a code of 8 or 16 bits, in CODES. Samples in no
// bin are omitted and tallied. Core's lowering.ts defines the bins. A kernel returns the number of codes that it wrote.
//
//   FLOW      underflow, overflow, NaN: 3 counters of 32 bits
//   LOWERING  table    65,536 codes of 32 bits, with the flow codes after the bins
//             keys     first key of each bin, 32 bits, or 64 for f64; then a key of all ones
//   STARTS    cells    first bin of each cell of the keys' range, 32 bits, and one more
//   CODES     out
//
// Bound: table and direct: one store per sample. Keys: about thirty instructions per sample for evenly spaced edges,
// otherwise the halvings in the fullest cell. No branch depends on the sample, except for the correction of a guess. So
// random data, and data with half of its samples outside the bins, cost the same as any other.
// Source: polybin; see core's lowering.ts and keys.ts.
import { U32_MAX } from "../generated/limits.as";
import { CODES, FLOW, LOWERING, STARTS, sumOf } from "./memory.as";

let bins: u32 = 0;
/** Number of thresholds at LOWERING: at least 1, at most `bins`. */
let keys: u32 = 0;
let last: u64 = 0;
let nanBelow: u64 = 0;
let nanAbove: u64 = 0;
let linear: bool = false;
let lo: f64 = 0;
let scale: f64 = 0;
let base: u32 = 0;
let shift: u32 = 0;
/** Halvings that find a bin in the cell with the most edges. */
let steps: u32 = 0;

// -- Set-up, once per job --------------------------------------------------------------------------------

/** For every kind. For a table the caller has written LOWERING. */
export function lower_bins(count: u32): void {
  bins = count;
}

/** For keys. The caller has written `count` thresholds to LOWERING, of 4 bytes each, or 8 for f64. */
export function lower_keys(count: u32, lastKey: u64, nanBelowKey: u64, nanAboveKey: u64, wide: bool): void {
  keys = count;
  last = lastKey;
  nanBelow = nanBelowKey;
  nanAbove = nanAboveKey;
  if (wide) store<u64>(LOWERING + count * 8, u64.MAX_VALUE);
  else store<u32>(LOWERING + count * 4, U32_MAX);
}

/** The guess for evenly spaced edges: bin = (sample - from) * binsPerUnit. */
export function lower_linear(from: f64, binsPerUnit: f64): void {
  linear = true;
  lo = from;
  scale = binsPerUnit * FIXED_ONE;
}

/** The guess by cells. The caller has written the first bins of `cells` + 1 cells to STARTS. */
export function lower_cells(baseWord: u32, cellShift: u32, cells: u32): void {
  linear = false;
  base = baseWord;
  shift = cellShift;
  let most: u32 = 0;
  for (let at: u32 = 0; at < cells << 2; at += 4) {
    const ahead = load<u32>(at, STARTS + 4) - load<u32>(at, STARTS);
    if (ahead > most) most = ahead;
  }
  steps = 32 - clz(most);
}

// -- Gather: 8- and 16-bit samples unchanged, to be counted as 256 or 65,536 cells and folded later ---------

export function lower_gather_u8(ptr: u32, n: u32, stride: u32): u32 {
  return gather<u8>(ptr, n, stride);
}

export function lower_gather_u16(ptr: u32, n: u32, stride: u32): u32 {
  return gather<u16>(ptr, n, stride);
}

function gather<T>(ptr: u32, n: u32, stride: u32): u32 {
  const step = stride * sizeof<T>();
  const end = CODES + n * sizeof<T>();
  for (let out = CODES; out < end; out += sizeof<T>(), ptr += step) store<T>(out, load<T>(ptr));
  return n;
}

// -- Direct: integers, code = sample - start -----------------------------------------------------------

/** `start` is the low 32 bits of the axis' start. `wide` selects codes of 16 bits. */
export function lower_direct_u16(ptr: u32, n: u32, stride: u32, start: u32, wide: bool): u32 {
  return wide ? direct<u16, u32, u16>(ptr, n, stride, start) : direct<u16, u32, u8>(ptr, n, stride, start);
}

export function lower_direct_i16(ptr: u32, n: u32, stride: u32, start: u32, wide: bool): u32 {
  return wide ? direct<i16, i32, u16>(ptr, n, stride, start) : direct<i16, i32, u8>(ptr, n, stride, start);
}

export function lower_direct_u32(ptr: u32, n: u32, stride: u32, start: u32, wide: bool): u32 {
  return wide ? direct<u32, u32, u16>(ptr, n, stride, start) : direct<u32, u32, u8>(ptr, n, stride, start);
}

export function lower_direct_i32(ptr: u32, n: u32, stride: u32, start: u32, wide: bool): u32 {
  return wide ? direct<i32, i32, u16>(ptr, n, stride, start) : direct<i32, i32, u8>(ptr, n, stride, start);
}

/** T: the sample; W: the sample in 32 bits with its sign, for the comparison with start; C: the code. */
function direct<T, W, C>(ptr: u32, n: u32, stride: u32, start: u32): u32 {
  const step = stride * sizeof<T>();
  const limit = bins;
  let out = CODES;
  let under: u32 = 0;
  for (let i: u32 = 0; i < n; i++, ptr += step) {
    const value = <W>load<T>(ptr);
    const code = <u32>value - start;
    store<C>(out, <C>code);
    out += <u32>(code < limit) * sizeof<C>();
    under += <u32>(value < <W>start);
  }
  return tally<C>(n, CODES, out, under, 0);
}

// -- Table: 16-bit samples, code = table[bits] ---------------------------------------------------------

export function lower_table_u16(ptr: u32, n: u32, stride: u32, wide: bool): u32 {
  return wide ? table<u16>(ptr, n, stride) : table<u8>(ptr, n, stride);
}

function table<C>(ptr: u32, n: u32, stride: u32): u32 {
  const step = stride * 2;
  const limit = bins;
  let out = CODES;
  let under: u32 = 0;
  for (let i: u32 = 0; i < n; i++, ptr += step) {
    const code = load<u32>(<u32>load<u16>(ptr) << 2, LOWERING);
    store<C>(out, <C>code);
    out += <u32>(code < limit) * sizeof<C>();
    under += <u32>(code == limit);
  }
  return tally<C>(n, CODES, out, under, 0);
}

// -- Keys: 32-bit samples and f64 ------------------------------------------------------------------------

export function lower_keys_u32(ptr: u32, n: u32, stride: u32, wide: bool): u32 {
  return wide ? byKeys<u32, u32, u16>(ptr, n, stride) : byKeys<u32, u32, u8>(ptr, n, stride);
}

export function lower_keys_i32(ptr: u32, n: u32, stride: u32, wide: bool): u32 {
  return wide ? byKeys<i32, u32, u16>(ptr, n, stride) : byKeys<i32, u32, u8>(ptr, n, stride);
}

export function lower_keys_f32(ptr: u32, n: u32, stride: u32, wide: bool): u32 {
  return wide ? byKeys<f32, u32, u16>(ptr, n, stride) : byKeys<f32, u32, u8>(ptr, n, stride);
}

export function lower_keys_f64(ptr: u32, n: u32, stride: u32, wide: bool): u32 {
  return wide ? byKeys<f64, u64, u16>(ptr, n, stride) : byKeys<f64, u64, u8>(ptr, n, stride);
}

@inline function byKeys<T, K, C>(ptr: u32, n: u32, stride: u32): u32 {
  if (!linear) return bySearch<T, K, C>(ptr, n, stride);
  if (!(isFloat<T>() && sizeof<T>() == 4) || stride != 1) return byGuess<T, K, C>(ptr, n, stride, CODES);
  const fours = n & ~3;
  const start = byFour<C>(ptr, fours);
  return byGuess<T, K, C>(ptr + fours * 4, n - fours, 1, start);
}

/**
 * Evenly spaced edges. T: the sample; K: its key; C: the code. No branch depends on whether a sample is in a bin. The
 * branch that corrects a guess is rarely taken.
 */
function byGuess<T, K, C>(ptr: u32, n: u32, stride: u32, start: u32): u32 {
  const step = stride * sizeof<T>();
  const first = load<K>(LOWERING);
  const end = <K>last;
  const below = <K>nanBelow;
  const above = <K>nanAbove;
  const from = lo;
  const factor = scale;
  const most = keys - 1;
  let out = start;
  let under: u32 = 0;
  let nan: u32 = 0;
  for (let i: u32 = 0; i < n; i++, ptr += step) {
    const key = keyOf<T, K>(ptr);
    const inside = <u32>(key >= first) & <u32>(key <= end);
    let bin = <u32>(reinterpret<u64>((<f64>load<T>(ptr) - from) * factor + FIXED_BIAS) >> FIXED_BITS);
    bin = bin < most ? bin : most;
    if (inside & (<u32>(threshold<K>(bin) > key) | <u32>(threshold<K>(bin + 1) <= key))) {
      while (threshold<K>(bin) > key) bin--;
      // The key past the last threshold is all ones. A sample may have this key, so the second test is needed.
      while (bin < most && threshold<K>(bin + 1) <= key) bin++;
    }
    store<C>(out, <C>bin);
    out += inside * sizeof<C>();
    under += <u32>(key < first);
    if (isFloat<T>()) {
      const negative = <u32>(key < below);
      under -= negative;
      nan += negative + <u32>(key > above);
    }
  }
  return tally<C>(n, start, out, under, nan);
}

/** byGuess for four f32 side by side. Returns the address of the next code. */
function byFour<C>(ptr: u32, n: u32): u32 {
  const sign = i32x4.splat(i32.MIN_VALUE);
  const first = i32x4.splat(load<u32>(LOWERING));
  const end = i32x4.splat(<u32>last);
  const below = i32x4.splat(<u32>nanBelow);
  const above = i32x4.splat(<u32>nanAbove);
  const from = f32x4.splat(<f32>lo);
  const factor = f32x4.splat(<f32>(scale / FIXED_ONE));
  const most = i32x4.splat(keys - 1);
  let under = i32x4.splat(0);
  let over = i32x4.splat(0);
  let nan = i32x4.splat(0);
  let out = CODES;
  for (const stop = ptr + n * 4; ptr < stop; ptr += 16) {
    const values = v128.load(ptr);
    const key = v128.xor(values, v128.or(i32x4.shr_s(values, 31), sign));
    const inside = v128.and(i32x4.ge_u(key, first), i32x4.le_u(key, end));
    const guess = i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(values, from), factor));
    const bin = i32x4.min_u(guess, most);
    const at = i32x4.shl(bin, 2);
    const at0 = i32x4.extract_lane(at, 0);
    const at1 = i32x4.extract_lane(at, 1);
    const at2 = i32x4.extract_lane(at, 2);
    const at3 = i32x4.extract_lane(at, 3);
    let low = v128.load32_zero(at0, LOWERING);
    low = v128.load_lane<u32>(at1, low, 1, LOWERING);
    low = v128.load_lane<u32>(at2, low, 2, LOWERING);
    low = v128.load_lane<u32>(at3, low, 3, LOWERING);
    let high = v128.load32_zero(at0, LOWERING + 4);
    high = v128.load_lane<u32>(at1, high, 1, LOWERING + 4);
    high = v128.load_lane<u32>(at2, high, 2, LOWERING + 4);
    high = v128.load_lane<u32>(at3, high, 3, LOWERING + 4);
    const wrong = v128.and(inside, v128.or(i32x4.gt_u(low, key), i32x4.le_u(high, key)));
    if (v128.any_true(wrong)) {
      // One of the samples is next to its guess, or in the last bin with a key of all ones: count them one at a time.
      out = CODES + byGuess<f32, u32, C>(ptr, 4, 1, out) * sizeof<C>();
      continue;
    }
    const mask = i32x4.bitmask(inside);
    if (mask == 15) {
      if (sizeof<C>() == 1) {
        store<u32>(out, i32x4.extract_lane(i8x16.shuffle(bin, bin, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0));
      } else {
        store<u64>(out, i64x2.extract_lane(i16x8.shuffle(bin, bin, 0, 2, 4, 6, 0, 2, 4, 6), 0));
      }
      out += 4 * sizeof<C>();
    } else {
      store<C>(out, <C>(at0 >> 2));
      out += (mask & 1) * sizeof<C>();
      store<C>(out, <C>(at1 >> 2));
      out += ((mask >> 1) & 1) * sizeof<C>();
      store<C>(out, <C>(at2 >> 2));
      out += ((mask >> 2) & 1) * sizeof<C>();
      store<C>(out, <C>(at3 >> 2));
      out += (mask >> 3) * sizeof<C>();
      // A mask counts as -1.
      const negative = i32x4.lt_u(key, below);
      const positive = i32x4.gt_u(key, above);
      under = i32x4.sub(under, v128.andnot(i32x4.lt_u(key, first), negative));
      over = i32x4.sub(over, v128.andnot(i32x4.gt_u(key, end), positive));
      nan = i32x4.sub(nan, v128.or(negative, positive));
    }
  }
  addFlow(sumOf(under), sumOf(over), sumOf(nan));
  return out;
}

/** Edges of any spacing. Every sample takes as many halvings as the fullest cell needs, without a branch. */
function bySearch<T, K, C>(ptr: u32, n: u32, stride: u32): u32 {
  const step = stride * sizeof<T>();
  const first = load<K>(LOWERING);
  const end = <K>last;
  const below = <K>nanBelow;
  const above = <K>nanAbove;
  const origin = base;
  const by = shift;
  let out = CODES;
  let under: u32 = 0;
  let nan: u32 = 0;
  for (let i: u32 = 0; i < n; i++, ptr += step) {
    const key = keyOf<T, K>(ptr);
    const inside = <u32>(key >= first) & <u32>(key <= end);
    const sought = inside ? key : first;
    const word = sizeof<K>() == 8 ? <u32>((<u64>sought) >> 32) : <u32>sought;
    const cell = ((word - origin) >> by) << 2;
    let bin = load<u32>(cell, STARTS);
    let ahead = load<u32>(cell, STARTS + 4) - bin;
    for (let halvings = steps; halvings; halvings--) {
      const half = (ahead + 1) >> 1;
      const reached = threshold<K>(bin + half) <= sought;
      bin = reached ? bin + half : bin;
      ahead = reached ? ahead - half : half - 1;
    }
    store<C>(out, <C>bin);
    out += inside * sizeof<C>();
    under += <u32>(key < first);
    if (isFloat<T>()) {
      const negative = <u32>(key < below);
      under -= negative;
      nan += negative + <u32>(key > above);
    }
  }
  return tally<C>(n, CODES, out, under, nan);
}

/** Returns an unsigned integer in the order of the samples, as in core's keys.ts. */
@inline function keyOf<T, K>(ptr: u32): K {
  const bits = load<K>(ptr);
  const sign = (<K>1) << (<K>(sizeof<K>() * 8 - 1));
  if (isFloat<T>()) {
    // Flips all bits of a negative number, and the sign bit of a positive one.
    const turn = sizeof<K>() == 8 ? <K>(<i64>bits >> 63) : <K>(<i32>bits >> 31);
    return bits ^ (turn | sign);
  }
  return isSigned<T>() ? bits ^ sign : bits;
}

@inline function threshold<K>(bin: u32): K {
  return load<K>(LOWERING + bin * sizeof<K>());
}

/** 2^20 and 2^52: the double 2^52 + x * 2^20 holds x in its low bits, with 20 bits of fraction. */
const FIXED_ONE: f64 = 1048576;
const FIXED_BIAS: f64 = 4503599627370496;
const FIXED_BITS: u64 = 20;

/**
 * Adds to FLOW. Of n samples, those that were neither written nor below nor NaN were above. Returns the number of all
 * codes.
 */
function tally<C>(n: u32, start: u32, out: u32, under: u32, nan: u32): u32 {
  const written = (out - start) / sizeof<C>();
  addFlow(under, n - written - under - nan, nan);
  return (out - CODES) / sizeof<C>();
}

function addFlow(under: u32, over: u32, nan: u32): void {
  store<u32>(FLOW, load<u32>(FLOW) + under);
  store<u32>(FLOW, load<u32>(FLOW, 4) + over, 4);
  store<u32>(FLOW, load<u32>(FLOW, 8) + nan, 8);
}
