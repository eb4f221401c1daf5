import { LIMB_BITS, MOST_EXPONENT } from "../limits.ts";
import { FLOAT_UNIT_BITS, type Sums } from "./sums.ts";

/** Adding and subtracting 1.5 * 2^(52 + n) rounds a smaller double to a multiple of 2^n. */
const ROUNDING = 1.5 * 2 ** 52;
/** Dekker's constant: cuts a double into two halves of 26 bits. */
const SPLITTER = 2 ** 27 + 1;

const sums = new Float64Array(6);

/**
 * Adds finite doubles and their squares exactly. A value is cut into limbs, multiples of a power of two with at most
 * LIMB_BITS bits, whose sums over a step are exact. A square is a double and its rounding error (Dekker's product). The
 * limbs do not reach values that are much smaller than the largest one, so these follow in a step of their own.
 *
 * @param values the array is consumed
 * @param most the largest |value|
 */
export function addFloats(to: Sums, values: Float64Array, count: number, most: number): void {
  let [rest, largest] = [count, most];
  while (rest > 0 && largest > 0) {
    const order = orderOf(largest);
    if (order < -MOST_EXPONENT) {
      for (let i = 0; i < rest; i++) addOne(to, values[i]!);
      return;
    }
    const isHuge = order > MOST_EXPONENT;
    if (!isHuge && addLimbs(values, rest, order)) {
      addSums(to, order);
      return;
    }
    const small = isHuge ? 2 ** (MOST_EXPONENT - 2) : 2 ** (order - REACH);
    const smaller = smallerFirst(values, rest, small);
    if (isHuge) for (let i = smaller; i < rest; i++) addOne(to, values[i]!);
    else {
      addLimbs(values.subarray(smaller), rest - smaller, order);
      addSums(to, order);
    }
    rest = smaller;
    largest = largestOf(values, rest);
  }
}

/** Two limbs reach the lowest bit of every double from 2^(order - REACH) on. */
const REACH = 2 * LIMB_BITS - 53;

/** Adds the sums of a step. */
function addSums(to: Sums, order: number): void {
  const [x1, x2, s1, s2, s3, s4] = sums;
  to.sum += wholeOf(x1!, order - LIMB_BITS, 1) + wholeOf(x2!, order - 2 * LIMB_BITS, 1);
  for (const [i, square] of [s1!, s2!, s3!, s4!].entries()) {
    to.squares += wholeOf(square, 2 * order - (i + 1) * LIMB_BITS, 2);
  }
}

/** Moves the values below `size` to the front. Returns their number. */
function smallerFirst(values: Float64Array, count: number, size: number): number {
  let smaller = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (Math.abs(value) >= size) continue;
    values[i] = values[smaller]!;
    values[smaller++] = value;
  }
  return smaller;
}

function largestOf(values: Float64Array, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}

/** Returns the smallest n with size < 2^n or one more. */
function orderOf(size: number): number {
  return Math.floor(Math.log2(size)) + 2;
}

/** Returns false if a value has bits below the limbs. The sums are useless then. */
function addLimbs(values: Float64Array, count: number, order: number): boolean {
  const a1 = ROUNDING * 2 ** (order - LIMB_BITS);
  const a2 = ROUNDING * 2 ** (order - 2 * LIMB_BITS);
  const b1 = ROUNDING * 2 ** (2 * order - LIMB_BITS);
  const b2 = ROUNDING * 2 ** (2 * order - 2 * LIMB_BITS);
  const b3 = ROUNDING * 2 ** (2 * order - 3 * LIMB_BITS);
  const b4 = ROUNDING * 2 ** (2 * order - 4 * LIMB_BITS);
  let [x1, x2, s1, s2, s3, s4, left] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const x = values[i]!;
    let limb = x + a1 - a1;
    x1 += limb;
    let rest = x - limb;
    limb = rest + a2 - a2;
    x2 += limb;
    left += Math.abs(rest - limb);

    const square = x * x;
    const cut = SPLITTER * x;
    const high = cut - (cut - x);
    const low = x - high;
    let error = high * high - square + 2 * high * low + low * low;
    limb = square + b1 - b1;
    s1 += limb;
    rest = square - limb;
    limb = rest + b2 - b2;
    s2 += limb;
    rest -= limb;
    limb = rest + b3 - b3;
    s3 += limb;
    left += Math.abs(rest - limb);
    limb = error + b2 - b2;
    s2 += limb;
    error -= limb;
    limb = error + b3 - b3;
    s3 += limb;
    error -= limb;
    limb = error + b4 - b4;
    s4 += limb;
    left += Math.abs(error - limb);
  }
  sums.set([x1, x2, s1, s2, s3, s4]);
  return left === 0;
}

/** A multiple of 2^exponent in units of 2^-(power * FLOAT_UNIT_BITS). */
function wholeOf(sum: number, exponent: number, power: 1 | 2): bigint {
  return sum === 0 ? 0n : BigInt(sum * 2 ** -exponent) << BigInt(exponent + power * FLOAT_UNIT_BITS);
}

const view = new DataView(new ArrayBuffer(8));
const EXPONENT_MASK = 0x7ffn;
const FRACTION_BITS = 52n;
const FRACTION = (1n << FRACTION_BITS) - 1n;

/** Adds one finite double by its bits. */
function addOne(to: Sums, value: number): void {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  const fraction = bits & FRACTION;
  const size = exponent === 0n ? fraction : ((1n << FRACTION_BITS) | fraction) << (exponent - 1n);
  to.sum += value < 0 ? -size : size;
  to.squares += size * size;
}
