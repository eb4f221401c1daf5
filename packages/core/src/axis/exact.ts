/**
 * Logarithms and powers with 190 good bits, in integers, so that every machine computes the same edges and rounds each
 * to the nearest f64. `Math.log` and `Math.pow` differ between engines in their last bits.
 */

/** A positive number, or zero: mantissa * 2^exponent. */
export interface Big {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Bits after the point of fixed-point numbers, and of a mantissa. The others are a margin for truncation. */
const BITS = 224;
const GOOD_BITS = 190;
/** Less than the good bits, since the factors of a sum and the exponent of a power axis have up to 26 bits. */
const FAR_BITS = 150;
/** Halvings of an exponent before its series, which squarings undo. */
const HALVINGS = 8;
const DOUBLE_BITS = 53;
/** Exponent of the smallest f64. */
const LEAST_EXPONENT = -1074;

const ONE = 1n << BigInt(BITS);

/** Converts an f64 exactly. */
export function bigOf(x: number): Big {
  let exponent = 0;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  return { mantissa: BigInt(mantissa), exponent };
}

/**
 * Rounds to the nearest f64. A number in the middle of two f64 by all its good bits is taken for the middle.
 * @param lean where a number in the middle goes: 0 to the even f64, 1 up, -1 down
 */
export function doubleOf({ mantissa, exponent }: Big, lean: -1 | 0 | 1 = 0): number {
  const length = bitsOf(mantissa);
  const kept = Math.min(DOUBLE_BITS, length + exponent - LEAST_EXPONENT);
  const shift = length - kept;
  if (shift <= 0) return Number(mantissa) * 2 ** exponent;
  const whole = mantissa >> BigInt(shift);
  const above = mantissa - (whole << BigInt(shift)) - (1n << BigInt(shift - 1));
  const isMiddle = (above < 0n ? -above : above) >> BigInt(Math.max(0, length - GOOD_BITS)) === 0n;
  const isUp = isMiddle ? lean > 0 || (lean === 0 && whole % 2n === 1n) : above > 0n;
  return Number(isUp ? whole + 1n : whole) * 2 ** (exponent + shift);
}

/** Returns true if a and b are so far apart that the good bits of a sum may not show the smaller one. Neither is 0. */
export function areFarApart(a: Big, b: Big): boolean {
  return Math.abs(bitsOf(a.mantissa) + a.exponent - bitsOf(b.mantissa) - b.exponent) > FAR_BITS;
}

export function product(a: Big, b: Big): Big {
  return shortened({ mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent });
}

export function quotient(a: Big, b: Big): Big {
  const shift = Math.max(0, BITS + bitsOf(b.mantissa) - bitsOf(a.mantissa));
  return shortened({
    mantissa: (a.mantissa << BigInt(shift)) / b.mantissa,
    exponent: a.exponent - b.exponent - shift,
  });
}

export function sum(a: Big, b: Big): Big {
  // The exponent of zero says nothing about its size.
  if (a.mantissa === 0n) return b;
  if (b.mantissa === 0n) return a;
  if (a.exponent < b.exponent) return sum(b, a);
  // Bits that lie more than two mantissas below do not change the result.
  const apart = Math.min(a.exponent - b.exponent, 2 * BITS);
  const lower = b.mantissa >> BigInt(a.exponent - b.exponent - apart);
  return shortened({ mantissa: (a.mantissa << BigInt(apart)) + lower, exponent: a.exponent - apart });
}

/** Returns x^(over / under) for x > 0. */
export function power(x: Big, over: number, under: number): Big {
  const [a, b] = [signedOf(over), signedOf(under)];
  const shift = a.exponent - b.exponent;
  const scaled = logarithm(x) * a.mantissa;
  return exponential(
    shift >= 0 ? (scaled << BigInt(shift)) / b.mantissa : scaled / (b.mantissa << BigInt(-shift)),
  );
}

/** Returns the binary logarithm of x >= 1. */
export function logarithmOf2(x: Big): Big {
  return { mantissa: (logarithm(x) << BigInt(BITS)) / ln2(), exponent: -BITS };
}

function signedOf(x: number): Big {
  const { mantissa, exponent } = bigOf(Math.abs(x));
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent };
}

/** Returns the natural logarithm in fixed point: 2 atanh((f - 1) / (f + 1)) + k ln 2 for x = f 2^k. */
function logarithm({ mantissa, exponent }: Big): bigint {
  const length = bitsOf(mantissa);
  let fraction = shifted(mantissa, BITS - length + 1);
  let twos = length - 1 + exponent;
  // From 3/4 to 3/2, so that few terms suffice.
  if (2n * fraction > 3n * ONE) {
    fraction >>= 1n;
    twos++;
  }
  const ratio = ((fraction - ONE) << BigInt(BITS)) / (fraction + ONE);
  return 2n * inverseTangent(ratio) + BigInt(twos) * ln2();
}

let knownLn2: bigint | undefined;

function ln2(): bigint {
  knownLn2 ??= 2n * inverseTangent(ONE / 3n);
  return knownLn2;
}

/** The hyperbolic one: z + z^3 / 3 + z^5 / 5 + … */
function inverseTangent(z: bigint): bigint {
  const square = (z * z) / ONE;
  let total = 0n;
  let term = z;
  for (let odd = 1n; term !== 0n; odd += 2n) {
    total += term / odd;
    term = (term * square) / ONE;
  }
  return total;
}

/** Returns e^x for x in fixed point: (e^(f / 2^8))^(2^8) 2^k for x = f + k ln 2. */
function exponential(x: bigint): Big {
  const twos = x / ln2();
  const part = (x - twos * ln2()) >> BigInt(HALVINGS);
  let total = ONE;
  let term = ONE;
  for (let i = 1n; term !== 0n; i++) {
    term = (term * part) / ONE / i;
    total += term;
  }
  for (let i = 0; i < HALVINGS; i++) total = (total * total) / ONE;
  return { mantissa: total, exponent: Number(twos) - BITS };
}

function shortened({ mantissa, exponent }: Big): Big {
  const over = bitsOf(mantissa) - BITS;
  return over <= 0
    ? { mantissa, exponent }
    : { mantissa: mantissa >> BigInt(over), exponent: exponent + over };
}

function shifted(x: bigint, left: number): bigint {
  return left >= 0 ? x << BigInt(left) : x >> BigInt(-left);
}

/** Returns the number of bits of a non-negative integer. */
function bitsOf(x: bigint): number {
  const digits = x.toString(16);
  return 4 * digits.length - (Math.clz32(Number.parseInt(digits[0]!, 16)) - 28);
}
