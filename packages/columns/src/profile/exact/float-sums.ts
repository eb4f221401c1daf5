import { DIGIT_BITS, MOST_EXPONENT } from "../limits.ts";
import { type Kernel, kernel } from "./kernel/index.ts";
import { FLOAT_UNIT_BITS, type Sums } from "./sums.ts";

/**
 * Adds the first `count` doubles of the kernel's memory, all of them finite, and their squares exactly. A value is cut into
 * four digits of DIGIT_BITS bits, whose sums and products over a step are exact. The digits do not reach values that are
 * much smaller than the largest one, so these follow in a step of their own. The values may change their places.
 *
 * @param unitBits sums are whole multiples of 2^-unitBits, and sums of squares of its square. 0 for integers
 * @param most the largest |value|
 * @param weighted whether each value counts as often as its weight says
 */
export function addDoubles(to: Sums, unitBits: number, count: number, most: number, weighted: boolean): void {
  const step = kernel();
  const digits = weighted ? step.digits_weighted : step.digits_once;
  const one = (i: number): void => addDouble(to, unitBits, step.values[i]!, weighted ? step.weights[i]! : 1);
  let [rest, largest] = [count, most];
  while (rest > 0 && largest > 0) {
    const order = orderOf(largest);
    if (order < -MOST_EXPONENT) {
      for (let i = 0; i < rest; i++) one(i);
      return;
    }
    const isHuge = order > MOST_EXPONENT;
    const unit = 2 ** (order - DIGIT_BITS);
    if (!isHuge && digits(0, rest, unit) === 1) {
      addDigits(to, unitBits, step, order - DIGIT_BITS);
      return;
    }
    const small = isHuge ? 2 ** (MOST_EXPONENT - 2) : 2 ** (order - REACH);
    const smaller = smallerFirst(step, rest, small, weighted);
    if (isHuge) for (let i = smaller; i < rest; i++) one(i);
    else {
      digits(smaller, rest, unit);
      addDigits(to, unitBits, step, order - DIGIT_BITS);
    }
    rest = smaller;
    largest = largestOf(step, rest);
  }
}

/** Four digits reach the lowest bit of every double from 2^(order - REACH) on. */
export const REACH: number = 4 * DIGIT_BITS - 53;
const DIGIT = BigInt(DIGIT_BITS);

/**
 * The sum of the products of two columns whose digits are multiples of 2^exponent and less, in units of 2^-(2 unitBits).
 * @param exponent of both columns together
 */
export function productsOf({ sums }: Kernel, unitBits: number, exponent: number): bigint {
  let all = 0n;
  for (let n = 0; n <= 6; n++) all = (all << DIGIT) + BigInt(sums[n]! * 2 ** (n * DIGIT_BITS - exponent));
  return shifted(all, exponent - 6 * DIGIT_BITS + 2 * unitBits);
}

/** Adds the sums of digits that are multiples of 2^exponent and less. */
export function addDigits(to: Sums, unitBits: number, { sums }: Kernel, exponent: number): void {
  // In units of the last digits. Sums of upper digits are multiples of their own units, which are larger.
  const pair = 2 ** -(exponent - DIGIT_BITS);
  const upper = BigInt(sums[0]! * pair);
  const lower = BigInt(sums[1]! * pair * 2 ** (2 * DIGIT_BITS));
  to.sum += shifted((upper << (2n * DIGIT)) + lower, exponent - 3 * DIGIT_BITS + unitBits);
  let squares = 0n;
  for (let n = 2; n <= 8; n++) {
    const product = BigInt(sums[n]! * 2 ** ((n - 2) * DIGIT_BITS - 2 * exponent));
    squares = (squares << DIGIT) + (n % 2 === 0 ? product : 2n * product);
  }
  to.squares += shifted(squares, 2 * exponent - 6 * DIGIT_BITS + 2 * unitBits);
}

/** value * 2^bits, which is whole. */
function shifted(value: bigint, bits: number): bigint {
  return bits >= 0 ? value << BigInt(bits) : value >> BigInt(-bits);
}

/** Moves the values below `size` to the front, with their weights. Returns their number. */
function smallerFirst({ values, weights }: Kernel, count: number, size: number, weighted: boolean): number {
  let smaller = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (Math.abs(value) >= size) continue;
    values[i] = values[smaller]!;
    values[smaller] = value;
    if (weighted) [weights[i], weights[smaller]] = [weights[smaller]!, weights[i]!];
    smaller++;
  }
  return smaller;
}

function largestOf({ values }: Kernel, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}

/** Returns the smallest n with size < 2^(n - 1) or one more. */
export function orderOf(size: number): number {
  return Math.floor(Math.log2(size)) + 2;
}

const view = new DataView(new ArrayBuffer(8));
const EXPONENT_MASK = 0x7ffn;
const FRACTION_BITS = 52n;
const FRACTION = (1n << FRACTION_BITS) - 1n;

/** Adds one finite double some number of times, by its bits. */
export function addDouble(to: Sums, unitBits: number, value: number, weight: number): void {
  const size = unitsOf(value, unitBits);
  to.sum += size * BigInt(weight);
  to.squares += size * size * BigInt(weight);
}

/** A finite double as a whole multiple of 2^-unitBits. */
export function unitsOf(value: number, unitBits: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  const fraction = bits & FRACTION;
  const unit = exponent === 0n ? fraction : ((1n << FRACTION_BITS) | fraction) << (exponent - 1n);
  const size = shifted(unit, unitBits - FLOAT_UNIT_BITS);
  return value < 0 ? -size : size;
}
