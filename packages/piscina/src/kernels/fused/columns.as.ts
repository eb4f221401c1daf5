// The part of each column in the cells of a block: block += row * stride, in bytes of the table.
//
//   ptr      samples of one column, consecutive
//   block    [n rounded up to 4] 32 bits    the address of each sample's cell
//
// The rows of a column are those of lib/rows: NaN, underflow, the bins, overflow. Bytes are counted by value. No branch
// depends on a sample.
//
// Bound: the instructions of lib/rows, and a load, two additions, a multiplication and a store for four samples.
// Source: polybin; core's lowering has the rule of cells.
import { LOWERING } from "../lib/memory.as";
import { direct, directBias, four, splatFrom, splatTo } from "../lib/rows/direct.as";
import {
  exact32,
  exact64,
  exactWord,
  FLOAT_BIAS,
  HIGH_BIAS,
  nearest32,
  nearest64,
  splatBias,
  splatHigh,
  splatLast,
  splatLost,
  splatLow,
  splatOrigin,
  splatScale,
} from "../lib/rows/line.as";
import { base, startsFrom, thresholdsFrom } from "../lib/rows/place.as";
import { keysShift, keyStarts, lineBase, lineStarts, rowFrom, splatKeysFrom, splatKeysTo } from "../lib/rows/search.as";

/** Adds four rows, plus a bias that `from` takes back, to four cells. */
@inline function mix(block: u32, rows: v128, by: v128, from: v128): void {
  v128.store(block, i32x4.add(v128.load(block), i32x4.add(i32x4.mul(rows, by), from)));
}

@inline function unbiased(bias: u32, stride: u32): v128 {
  return i32x4.splat(0 - bias * stride);
}

// -- Floats and 32-bit integers over evenly spaced edges ---------------------------------------------------

export function cells_nearest_f32(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatLow<f32>();
  const to = splatHigh<f32>();
  const nan = splatLost<f32>();
  const at = splatOrigin<f32>();
  const by = splatScale<f32>();
  const add = splatBias<f32>();
  const thresholds = thresholdsFrom<f32>(FLOAT_BIAS);
  const step = i32x4.splat(stride);
  const back = unbiased(FLOAT_BIAS, stride);
  for (const end = block + n * 4; block < end; block += 16, ptr += 16) {
    mix(block, nearest32(v128.load(ptr), from, to, nan, at, by, add, thresholds), step, back);
  }
}

export function cells_exact_f32(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatLow<f32>();
  const to = splatHigh<f32>();
  const nan = splatLost<f32>();
  const at = splatOrigin<f32>();
  const by = splatScale<f32>();
  const add = splatBias<f32>();
  const over = splatLast<f32>();
  const step = i32x4.splat(stride);
  const back = unbiased(FLOAT_BIAS, stride);
  for (const end = block + n * 4; block < end; block += 16, ptr += 16) {
    mix(block, exact32(v128.load(ptr), from, to, nan, at, by, add, over), step, back);
  }
}

export function cells_nearest_f64(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatLow<f64>();
  const to = splatHigh<f64>();
  const nan = splatLost<f64>();
  const by = splatScale<f64>();
  const add = splatBias<f64>();
  const thresholds = thresholdsFrom<f64>(HIGH_BIAS);
  const step = i32x4.splat(stride);
  const back = unbiased(HIGH_BIAS, stride);
  for (const end = block + n * 4; block < end; block += 16, ptr += 32) {
    mix(block, nearest64(v128.load(ptr), v128.load(ptr, 16), from, to, nan, by, add, thresholds), step, back);
  }
}

export function cells_exact_f64(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatLow<f64>();
  const to = splatHigh<f64>();
  const nan = splatLost<f64>();
  const at = splatOrigin<f64>();
  const by = splatScale<f64>();
  const add = splatBias<f64>();
  const over = splatLast<f64>();
  const step = i32x4.splat(stride);
  const back = unbiased(0, stride);
  for (const end = block + n * 4; block < end; block += 16, ptr += 32) {
    mix(block, exact64(v128.load(ptr), v128.load(ptr, 16), from, to, nan, at, by, add, over), step, back);
  }
}

export function cells_exact_u32(ptr: u32, block: u32, n: u32, stride: u32): void {
  exactWords<u32>(ptr, block, n, stride);
}
export function cells_exact_i32(ptr: u32, block: u32, n: u32, stride: u32): void {
  exactWords<i32>(ptr, block, n, stride);
}

@inline function exactWords<T>(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatLow<i32>();
  const to = splatHigh<i32>();
  const by = splatScale<f64>();
  const add = splatBias<f64>();
  const over = splatLast<i32>();
  const step = i32x4.splat(stride);
  const back = unbiased(HIGH_BIAS, stride);
  for (const end = block + n * 4; block < end; block += 16, ptr += 16) {
    mix(block, exactWord<T>(v128.load(ptr), from, to, by, add, over), step, back);
  }
}

// -- Any edges -------------------------------------------------------------------------------------------

export function cells_line_f32(ptr: u32, block: u32, n: u32, stride: u32): void {
  byLine<f32, f32>(ptr, block, n, stride);
}
export function cells_line_f64(ptr: u32, block: u32, n: u32, stride: u32): void {
  byLine<f64, f64>(ptr, block, n, stride);
}
export function cells_line_u32(ptr: u32, block: u32, n: u32, stride: u32): void {
  byLine<u32, f64>(ptr, block, n, stride);
}
export function cells_line_i32(ptr: u32, block: u32, n: u32, stride: u32): void {
  byLine<i32, f64>(ptr, block, n, stride);
}
export function cells_keys_f32(ptr: u32, block: u32, n: u32, stride: u32): void {
  byKeys<f32, f32>(ptr, block, n, stride);
}
export function cells_keys_f64(ptr: u32, block: u32, n: u32, stride: u32): void {
  byKeys<f64, f64>(ptr, block, n, stride);
}
export function cells_keys_u32(ptr: u32, block: u32, n: u32, stride: u32): void {
  byKeys<u32, f64>(ptr, block, n, stride);
}
export function cells_keys_i32(ptr: u32, block: u32, n: u32, stride: u32): void {
  byKeys<i32, f64>(ptr, block, n, stride);
}

/** T: the sample; V: the float type that it is compared as. */
@inline function byLine<T, V>(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatLow<V>();
  const to = splatHigh<V>();
  const nan = splatLost<V>();
  const at = splatOrigin<V>();
  const by = splatScale<V>();
  const add = splatBias<V>();
  const first = lineBase<V>();
  for (const end = block + n * 4; block < end; block += 16, ptr += 4 * sizeof<T>()) {
    mixFour<T, V>(ptr, block, lineStarts<T, V>(ptr, from, to, nan, at, by, add, first), stride);
  }
}

@inline function byKeys<T, V>(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatKeysFrom();
  const to = splatKeysTo();
  const by = keysShift();
  const first = startsFrom(0);
  for (const end = block + n * 4; block < end; block += 16, ptr += 4 * sizeof<T>()) {
    mixFour<T, V>(ptr, block, keyStarts<T, V>(ptr, from, to, by, first), stride);
  }
}

/** Adds the rows of four samples from `ptr` on. `at` has the addresses of their starts. */
@inline function mixFour<T, V>(ptr: u32, block: u32, at: v128, stride: u32): void {
  addTo(block, rowFrom<T, V>(i32x4.extract_lane(at, 0), ptr) * stride);
  addTo(block + 4, rowFrom<T, V>(i32x4.extract_lane(at, 1), ptr + sizeof<T>()) * stride);
  addTo(block + 8, rowFrom<T, V>(i32x4.extract_lane(at, 2), ptr + sizeof<T>() * 2) * stride);
  addTo(block + 12, rowFrom<T, V>(i32x4.extract_lane(at, 3), ptr + sizeof<T>() * 3) * stride);
}

@inline function addTo(at: u32, more: u32): void {
  store<u32>(at, load<u32>(at) + more);
}

// -- Integers: a difference, an entry of a table, or the value of a byte -------------------------------------

export function cells_direct_u16(ptr: u32, block: u32, n: u32, stride: u32): void {
  directly<u16>(ptr, block, n, stride);
}
export function cells_direct_i16(ptr: u32, block: u32, n: u32, stride: u32): void {
  directly<i16>(ptr, block, n, stride);
}
export function cells_direct_u32(ptr: u32, block: u32, n: u32, stride: u32): void {
  directly<u32>(ptr, block, n, stride);
}
export function cells_direct_i32(ptr: u32, block: u32, n: u32, stride: u32): void {
  directly<i32>(ptr, block, n, stride);
}

@inline function directly<T>(ptr: u32, block: u32, n: u32, stride: u32): void {
  const from = splatFrom();
  const to = splatTo();
  const step = i32x4.splat(stride);
  const back = unbiased(directBias(), stride);
  for (const end = block + n * 4; block < end; block += 16, ptr += 4 * sizeof<T>()) {
    mix(block, direct<T>(four<T>(ptr), from, to), step, back);
  }
}

export function cells_table_8(ptr: u32, block: u32, n: u32, stride: u32): void {
  byTable<u8, u16>(ptr, block, n, stride);
}
export function cells_table_16(ptr: u32, block: u32, n: u32, stride: u32): void {
  byTable<u16, u16>(ptr, block, n, stride);
}
export function cells_table_32(ptr: u32, block: u32, n: u32, stride: u32): void {
  byTable<u16, u32>(ptr, block, n, stride);
}

/** T: the sample; R: its row in the table. */
@inline function byTable<T, R>(ptr: u32, block: u32, n: u32, stride: u32): void {
  const rows = base + LOWERING;
  for (const end = block + n * 4; block < end; block += 4, ptr += sizeof<T>()) {
    addTo(block, <u32>load<R>(rows + <u32>load<T>(ptr) * sizeof<R>()) * stride);
  }
}

/** Bytes by their upper bits, from the bit `shift` on. */
export function cells_bytes(ptr: u32, block: u32, n: u32, stride: u32, shift: u32): void {
  const step = i32x4.splat(stride);
  for (const end = block + n * 4; block < end; block += 16, ptr += 4) {
    const bytes = v128.load32_zero(ptr);
    const values = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
    v128.store(block, i32x4.add(v128.load(block), i32x4.mul(i32x4.shr_u(values, shift), step)));
  }
}
