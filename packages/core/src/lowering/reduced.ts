import { nextUp, type Reduction } from "../axis/index.ts";
import type { SampleArray } from "../input/index.ts";

/** Converts samples as a reduction says. Infinities and NaN stay as they are. */
export function reduced(run: SampleArray, { period, end }: Reduction): Float64Array {
  const out = new Float64Array(run.length);
  if (run instanceof BigInt64Array || run instanceof BigUint64Array) {
    const integers = run as BigInt64Array | BigUint64Array;
    const turn = period === null ? null : turnOf(period);
    for (let i = 0; i < out.length; i++) out[i] = turn?.(integers[i]!) ?? roundedDown(integers[i]!, end);
    return out;
  }
  for (let i = 0; i < out.length; i++) {
    const value = run[i]!;
    out[i] = period === null || Math.abs(value) === Infinity ? value : value % period;
  }
  return out;
}

/** Returns the largest f64 that is at most an integer, or the next one if an integer right above `end` would become it. */
export function roundedDown(integer: bigint, end: number | null): number {
  const near = Number(integer);
  if (Number.isSafeInteger(near)) return near;
  // Numbers of this size are whole, and the next f64 towards zero is a whole number too.
  const below = BigInt(near) > integer ? -nextUp(-near) : near;
  return below === end && BigInt(below) < integer ? nextUp(below) : below;
}

/** Returns the remainder of integers by a period, in fractions of a power of two. */
function turnOf(period: number): (integer: bigint) => number {
  let units = 1;
  while (!Number.isInteger(period * units)) units *= 2;
  const [times, by] = [BigInt(units), BigInt(period * units)];
  return (integer) => Number((integer * times) % by) / units;
}
