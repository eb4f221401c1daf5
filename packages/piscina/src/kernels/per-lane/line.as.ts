// Counts samples over evenly or nearly evenly spaced edges.
//
//   TABLES   as in rows.as.ts; lib/rows/line.as.ts finds the rows
//
// Bound: 13 instructions per f32 sample, 14 per f64 sample and 9 per 32-bit integer; 4 of these are the increment.
// Source: polybin; core's ranks.ts has the rule.
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
import { thresholdsFrom } from "../lib/rows/place.as";
import { bump0, bumpAll, rowsAt, tableFrom } from "./rows.as";

export function count_nearest_f32(ptr: u32, n: u32): void {
  const from = splatLow<f32>();
  const to = splatHigh<f32>();
  const nan = splatLost<f32>();
  const at = splatOrigin<f32>();
  const by = splatScale<f32>();
  const add = splatBias<f32>();
  const thresholds = thresholdsFrom<f32>(FLOAT_BIAS);
  const table = tableFrom(FLOAT_BIAS);
  const end = ptr + n * 4;
  for (const whole = ptr + (n & ~3) * 4; ptr < whole; ptr += 16) {
    bumpAll(rowsAt(nearest32(v128.load(ptr), from, to, nan, at, by, add, thresholds), table));
  }
  for (; ptr < end; ptr += 4) {
    const row = rowsAt(nearest32(v128.load32_splat(ptr), from, to, nan, at, by, add, thresholds), table);
    bump0(i32x4.extract_lane(row, 0));
  }
}

export function count_exact_f32(ptr: u32, n: u32): void {
  const from = splatLow<f32>();
  const to = splatHigh<f32>();
  const nan = splatLost<f32>();
  const at = splatOrigin<f32>();
  const by = splatScale<f32>();
  const add = splatBias<f32>();
  const over = splatLast<f32>();
  const table = tableFrom(FLOAT_BIAS);
  const end = ptr + n * 4;
  for (const whole = ptr + (n & ~3) * 4; ptr < whole; ptr += 16) {
    bumpAll(rowsAt(exact32(v128.load(ptr), from, to, nan, at, by, add, over), table));
  }
  for (; ptr < end; ptr += 4) {
    const row = rowsAt(exact32(v128.load32_splat(ptr), from, to, nan, at, by, add, over), table);
    bump0(i32x4.extract_lane(row, 0));
  }
}

export function count_nearest_f64(ptr: u32, n: u32): void {
  const from = splatLow<f64>();
  const to = splatHigh<f64>();
  const nan = splatLost<f64>();
  const by = splatScale<f64>();
  const add = splatBias<f64>();
  const thresholds = thresholdsFrom<f64>(HIGH_BIAS);
  const table = tableFrom(HIGH_BIAS);
  const end = ptr + n * 8;
  for (const whole = ptr + (n & ~3) * 8; ptr < whole; ptr += 32) {
    bumpAll(rowsAt(nearest64(v128.load(ptr), v128.load(ptr, 16), from, to, nan, by, add, thresholds), table));
  }
  for (; ptr < end; ptr += 8) {
    const one = v128.load64_splat(ptr);
    bump0(i32x4.extract_lane(rowsAt(nearest64(one, one, from, to, nan, by, add, thresholds), table), 0));
  }
}

export function count_exact_f64(ptr: u32, n: u32): void {
  const from = splatLow<f64>();
  const to = splatHigh<f64>();
  const nan = splatLost<f64>();
  const at = splatOrigin<f64>();
  const by = splatScale<f64>();
  const add = splatBias<f64>();
  const over = splatLast<f64>();
  const table = tableFrom(0);
  const end = ptr + n * 8;
  for (const whole = ptr + (n & ~3) * 8; ptr < whole; ptr += 32) {
    bumpAll(rowsAt(exact64(v128.load(ptr), v128.load(ptr, 16), from, to, nan, at, by, add, over), table));
  }
  for (; ptr < end; ptr += 8) {
    const one = v128.load64_splat(ptr);
    bump0(i32x4.extract_lane(rowsAt(exact64(one, one, from, to, nan, at, by, add, over), table), 0));
  }
}

export function count_exact_u32(ptr: u32, n: u32): void {
  exactWords<u32>(ptr, n);
}
export function count_exact_i32(ptr: u32, n: u32): void {
  exactWords<i32>(ptr, n);
}

@inline function exactWords<T>(ptr: u32, n: u32): void {
  const from = splatLow<i32>();
  const to = splatHigh<i32>();
  const by = splatScale<f64>();
  const add = splatBias<f64>();
  const over = splatLast<i32>();
  const table = tableFrom(HIGH_BIAS);
  const end = ptr + n * 4;
  for (const whole = ptr + (n & ~3) * 4; ptr < whole; ptr += 16) {
    bumpAll(rowsAt(exactWord<T>(v128.load(ptr), from, to, by, add, over), table));
  }
  for (; ptr < end; ptr += 4) {
    bump0(i32x4.extract_lane(rowsAt(exactWord<T>(v128.load32_splat(ptr), from, to, by, add, over), table), 0));
  }
}
