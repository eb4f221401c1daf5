// The rows of integers over an integer axis: a difference.
//
//   row = clamp(sample, low, high) - (low - first)
//
// Bound: three instructions per four samples.
// Source: polybin.
let low: u32 = 0;
let high: u32 = 0;
let first: u32 = 0;

/** The samples at both ends of the range with rows of its own, and the row of `from`. */
export function lanes_direct(from: u32, to: u32, row: u32): void {
  low = from;
  high = to;
  first = row;
}

@inline export function splatFrom(): v128 {
  return i32x4.splat(low);
}
@inline export function splatTo(): v128 {
  return i32x4.splat(high);
}

/** Returns the bias of the rows that `direct` returns. */
@inline export function directBias(): u32 {
  return low - first;
}

/** Returns four samples in 32 bits. */
@inline export function four<T>(ptr: u32): v128 {
  return sizeof<T>() == 4 ? v128.load(ptr) : isSigned<T>() ? v128.load16x4_s(ptr) : v128.load16x4_u(ptr);
}

/** Returns the rows of four samples in 32 bits, plus the bias. */
@inline export function direct<T>(values: v128, from: v128, to: v128): v128 {
  return isSigned<T>() ? i32x4.min_s(i32x4.max_s(values, from), to) : i32x4.min_u(i32x4.max_u(values, from), to);
}
