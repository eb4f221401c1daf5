// Where the thresholds and the starts of the current axis lie. Programs that count over several axes, or several
// instances in one memory, move this place.
import { LOWERING, STARTS } from "../memory.as";

/** Bytes that are added to the addresses of memory.as.ts. */
export let base: u32 = 0;

export function lanes_at(address: u32): void {
  base = address;
}

/** Returns the address of the thresholds minus `bias` of them. */
@inline export function thresholdsFrom<T>(bias: u32): v128 {
  return i32x4.splat(base + LOWERING - bias * sizeof<T>());
}

@inline export function startsFrom(bias: u32): v128 {
  return i32x4.splat(base + STARTS - (bias << 2));
}

/** Returns the even 32-bit words of two vectors: the low halves of four 64-bit lanes. */
@inline export function lowWords(a: v128, b: v128): v128 {
  return v128.shuffle<u32>(a, b, 0, 2, 4, 6);
}

/** Returns the odd 32-bit words: the high halves. */
@inline export function highWords(a: v128, b: v128): v128 {
  return v128.shuffle<u32>(a, b, 1, 3, 5, 7);
}
