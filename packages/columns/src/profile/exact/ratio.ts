/** A quotient of this number of bits, with one more for the remainder, rounds correctly to the 53 of a double. */
const ENOUGH_BITS = 66;
const HEX_BITS = 4;
/** Numbers up to this many bits convert to doubles without overflow. */
const SAFE_BITS = 1000;

/**
 * Returns numerator / denominator * 2^exponent, rounded once to the nearest double. Results below 2^-1022 are rounded
 * twice. The denominator is above 0.
 */
export function ratio(numerator: bigint, denominator: bigint, exponent: number): number {
  if (numerator === 0n) return 0;
  const size = numerator < 0n ? -numerator : numerator;
  const shift = Math.max(0, ENOUGH_BITS + bitsOf(denominator) - bitsOf(size));
  const shifted = size << BigInt(shift);
  let quotient = shifted / denominator;
  let sticky = quotient * denominator === shifted ? 0n : 1n;
  const surplus = Math.max(0, bitsOf(quotient) - SAFE_BITS);
  if (surplus > 0) {
    const upper = quotient >> BigInt(surplus);
    if (upper << BigInt(surplus) !== quotient) sticky = 1n;
    quotient = upper;
  }
  // The quotient has more bits than a double, so the last one only says that something follows.
  const rounded = Number(quotient | sticky);
  const value = scaled(rounded, exponent - shift + surplus);
  return numerator < 0n ? -value : value;
}

/** Returns the root of numerator / denominator * 2^exponent, rounded before and after the root. */
export function rootOfRatio(numerator: bigint, denominator: bigint, exponent: number): number {
  if (numerator === 0n) return 0;
  // The quotient can be outside the range of doubles although its root is not, so its power of two is kept apart.
  const half = Math.trunc((bitsOf(numerator) - bitsOf(denominator) + exponent) / 2);
  return scaled(Math.sqrt(ratio(numerator, denominator, exponent - 2 * half)), half);
}

/** The number of bits of a positive integer, rounded up to hexadecimal digits. */
function bitsOf(size: bigint): number {
  return size.toString(16).length * HEX_BITS;
}

/** value * 2^exponent in steps, since 2^exponent may be no double. */
function scaled(value: number, exponent: number): number {
  let [result, rest] = [value, exponent];
  while (rest !== 0 && result !== 0 && Number.isFinite(result)) {
    const step = Math.max(-1000, Math.min(1000, rest));
    result *= 2 ** step;
    rest -= step;
  }
  return result;
}
