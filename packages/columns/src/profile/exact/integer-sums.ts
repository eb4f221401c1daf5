import { DIGIT_BITS } from "../limits.ts";
import { kernel } from "./kernel/index.ts";
import type { Sums } from "./sums.ts";

/** Squares of integers up to this size add up exactly over a step. */
export const SMALL: number = 2 ** DIGIT_BITS;
const WORD = 32n;
/** Distances below this one add up with their squares in words. */
const NEAR = 1n << WORD;
const SIGN = 1n << 63n;

/** Adds the first `count` integers of the kernel's memory, up to SMALL in size, and their squares. */
export function addSmall(to: Sums, count: number): void {
  const { small, sums } = kernel();
  small(count);
  to.sum += BigInt(sums[0]!);
  to.squares += BigInt(sums[1]!);
}

/**
 * Adds the first `count` 64-bit integers of the kernel's memory and their squares, by their distances from the smallest one.
 * Returns the smallest and the largest.
 */
export function addIntegers(to: Sums, count: number, isSigned: boolean): [lo: bigint, hi: bigint] {
  const { extent_whole, near, far, signed, unsigned } = kernel();
  extent_whole(count, isSigned ? 0n : SIGN);
  const offset = isSigned ? 0n : SIGN;
  const [lo, hi] = [signed[0]! + offset, signed[1]! + offset];
  let [sum, squares] = [0n, 0n];
  if (hi - lo < NEAR) {
    near(count, lo);
    sum = unsigned[0]!;
    squares = joined(unsigned[1]!, unsigned[2]!);
  } else {
    far(count, lo);
    const [s0, s1, ll0, ll1, lu0, lu1, uu0, uu1] = unsigned;
    sum = joined(s0!, s1!);
    squares = joined(joined(ll0!, ll1!) + (joined(lu0!, lu1!) << (WORD + 1n)), joined(uu0!, uu1!) << WORD);
  }
  const all = BigInt(count);
  to.sum += sum + all * lo;
  to.squares += squares + 2n * lo * sum + all * lo * lo;
  return [lo, hi];
}

function joined(lower: bigint, upper: bigint): bigint {
  return lower + (upper << WORD);
}
