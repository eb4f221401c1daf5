import type { Sums } from "./sums.ts";

const HALF = 16;
const WORD = 32n;

/** Squares of smaller integers add up exactly over a step. */
const SMALL = 2 ** 20;
const UNIT = 2 ** HALF;
const UNIT_INVERSE = 1 / UNIT;
const SIGN = 0x8000_0000 | 0;
/** Adding and subtracting this rounds a smaller double to a multiple of 2^16. */
const ROUNDING = 1.5 * 2 ** 52 * UNIT;

/** Integers that `addNarrow` takes are below this size. */
export const NARROW: number = 2 ** 33;

/** Adds integers below NARROW and their squares exactly. @param most the largest |value| */
export function addNarrow(to: Sums, values: Float64Array, count: number, most: number): void {
  if (most <= SMALL) addSmall(to, values, count);
  else addHalves(to, values, count);
}

/** Two chains of additions overlap. */
function addSmall(to: Sums, values: Float64Array, count: number): void {
  let [sum, second, square, secondSquare] = [0, 0, 0, 0];
  const even = count - (count % 2);
  for (let i = 0; i < even; i += 2) {
    const x = values[i]!;
    const y = values[i + 1]!;
    sum += x;
    second += y;
    square += x * x;
    secondSquare += y * y;
  }
  if (even < count) {
    const x = values[even]!;
    sum += x;
    square += x * x;
  }
  to.sum += BigInt(sum + second);
  to.squares += BigInt(square + secondSquare);
}

/** Adds values by halves of 16 bits, the lower one with a sign. */
function addHalves(to: Sums, values: Float64Array, count: number): void {
  let [sum, high, middle, low] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const x = values[i]!;
    sum += x;
    const upper = x + ROUNDING - ROUNDING;
    const rest = x - upper;
    const digit = upper * UNIT_INVERSE;
    high += digit * digit;
    middle += digit * rest;
    low += rest * rest;
  }
  to.sum += BigInt(sum);
  to.squares += (BigInt(high) << WORD) + (BigInt(middle) << BigInt(HALF + 1)) + BigInt(low);
}

/**
 * Adds 64-bit integers and their squares exactly, by digits of 16 bits: x = a 2^48 + b 2^32 + c 2^16 + d. The digits have
 * signs. They are doubles, because products of 32-bit integers check for overflow.
 *
 * @param words the low and the high word of each value, alternately
 */
export function addWide(to: Sums, words: Int32Array, count: number, signed: boolean): void {
  // Unsigned integers are added up as x - 2^63, by the sign of the high word.
  const flip = signed ? 0 : SIGN;
  let [sa, sb, sc, sd] = [0, 0, 0, 0];
  // The products of digits, by the power of 2^16 that they have in the square.
  let [p6, p5, p4, p3, p2, p1, p0] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < 2 * count; i += 2) {
    const lower = words[i]! ^ SIGN;
    const upper = words[i + 1]! ^ flip;
    const a = (upper + ROUNDING - ROUNDING) * UNIT_INVERSE;
    const b = upper - a * UNIT;
    const c = (lower + ROUNDING - ROUNDING) * UNIT_INVERSE;
    const d = lower - c * UNIT;
    sa += a;
    sb += b;
    sc += c;
    sd += d;
    p6 += a * a;
    p5 += a * b;
    p4 += 2 * a * c + b * b;
    p3 += a * d + b * c;
    p2 += 2 * b * d + c * c;
    p1 += c * d;
    p0 += d * d;
  }
  // The low words count from 2^31, as doubles with a sign.
  const offset = (1n << 31n) + (signed ? 0n : 1n << 63n);
  const sum = joined([sd, sc, sb, sa]);
  const n = BigInt(count);
  to.sum += sum + n * offset;
  to.squares += joined([p0, 2 * p1, p2, 2 * p3, p4, 2 * p5, p6]) + 2n * offset * sum + n * offset * offset;
}

/** The integer of these digits, the lowest first. A digit may be any safe integer. */
function joined(digits: readonly number[]): bigint {
  return digits.reduce((sum, digit, i) => sum + (BigInt(digit) << BigInt(HALF * i)), 0n);
}
