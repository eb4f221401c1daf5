import { nextUp, type Reduction } from "../axis/index.ts";
import type { SampleArray } from "../input/index.ts";

/** Converts samples as a reduction says. Infinities and NaN stay as they are. */
export function reduced(run: SampleArray, { period, end }: Reduction): Float64Array {
  if (isIntegers(run)) return period === null ? roundedDown(run, end) : remaindersOf(run, period);
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

/** Returns the remainders of integers by a period, in fractions of a power of two. */
function remaindersOf(integers: Integers, period: number): Float64Array {
  let units = 1;
  while (!Number.isInteger(period * units)) units *= 2;
  const [times, by] = [BigInt(units), BigInt(period * units)];
  const near = roundedDown(integers, null);
  return near.map((value, i) =>
    Number.isSafeInteger(value) ? value % period : Number((integers[i]! * times) % by) / units,
  );
}
