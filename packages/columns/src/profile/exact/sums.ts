/** Exact sums of values and of their squares, in whole units of 2^-`unitBits` and 2^-(2 `unitBits`). */
export interface Sums {
  sum: bigint;
  squares: bigint;
}

/** Floats are whole multiples of the smallest double, 2^-1074. Integers are their own unit. */
export const FLOAT_UNIT_BITS = 1074;

/** Bytes of a sum of squares at most: 2 * (1024 + 1074) bits and 64 for the number of values. */
export const SUM_BYTES = 536;
