import { bigOf, nextUp, type Reduction } from "../axis/index.ts";
import type { SampleArray } from "../input/index.ts";

/** Converts samples as a reduction says. Infinities and NaN stay as they are. */
export function reduced(run: SampleArray, { period, from, end }: Reduction): Float64Array {
  if (isIntegers(run)) {
    if (period === null) return roundedDown(run, end);
    return from === undefined ? remaindersOf(run, period) : withinTurn(run, period, from);
  }
  const out = new Float64Array(run.length);
  for (let i = 0; i < out.length; i++) {
    const value = run[i]!;
    out[i] = period === null || Math.abs(value) === Infinity ? value : value % period;
  }
  return out;
}

type Integers = BigInt64Array | BigUint64Array;

function isIntegers(run: unknown): run is Integers {
  return run instanceof BigInt64Array || run instanceof BigUint64Array;
}

const WORD = 2 ** 32;
/** Bits of a double's mantissa after the first. */
const FRACTION_BITS = 52;

/**
 * Returns for each integer the largest f64 that is at most the integer. If that is `end` and the integer is above it,
 * the next f64. It uses words, since a BigInt takes ten times as long.
 *
 *   integer = high * 2^32 + low, rounded down to a multiple of 2^(k - 52) for 2^k <= |integer| < 2^(k + 1)
 */
export function roundedDown(integers: Integers, end: number | null): Float64Array {
  const { buffer, byteOffset, length } = integers;
  const words = new Uint32Array(buffer, byteOffset, 2 * length);
  const isSigned = integers instanceof BigInt64Array;
  const afterEnd = end === null ? 0 : nextUp(end);
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const low = words[2 * i]!;
    const high = isSigned ? words[2 * i + 1]! | 0 : words[2 * i + 1]!;
    const bits = 63 - Math.clz32(high < 0 ? ~high : high);
    const rest = bits > FRACTION_BITS ? low & ((1 << (bits - FRACTION_BITS)) - 1) : 0;
    const value = high * WORD + (low - rest);
    out[i] = rest > 0 && value === end ? afterEnd : value;
  }
  return out;
}

/**
 * Returns the remainders of integers by a period below 2^53, which are f64s.
 *
 *   period = mantissa / 2^k      remainder = ((integer * 2^k) % mantissa) / 2^k
 */
function remaindersOf(integers: Integers, period: number): Float64Array {
  const { mantissa, exponent } = bigOf(period);
  const scale = (1n << BigInt(-exponent)) % mantissa;
  const unit = 2 ** exponent;
  return roundedDown(integers, null).map((value, i) => {
    if (Number.isSafeInteger(value)) return value % period;
    return Number(((integers[i]! % mantissa) * scale) % mantissa) * unit;
  });
}

/** Moves integers by whole periods into the turn that begins at a number, and rounds them down to an f64. */
function withinTurn(integers: Integers, period: number, from: number): Float64Array {
  const [turn, least] = [BigInt(period), BigInt(Math.ceil(from))];
  return Float64Array.from(integers, (integer) => {
    const rest = (integer - least) % turn;
    return downFrom(least + (rest < 0n ? rest + turn : rest));
  });
}

/** Returns the largest f64 that is at most an integer. */
function downFrom(integer: bigint): number {
  const near = Number(integer);
  return BigInt(near) > integer ? -nextUp(-near) : near;
}
