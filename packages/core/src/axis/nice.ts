import { expected } from "../base/index.ts";
import { checkedBins } from "./axis.ts";

/** Ratios from which a step is rounded to 10, 5 and 2 times a power of ten. */
const TO_TEN = Math.sqrt(50);
const TO_FIVE = Math.sqrt(10);
const TO_TWO = Math.SQRT2;

/**
 * Extends a range to round numbers, as d3-array's `nice(lo, hi, count)`. Both ends become multiples of a step of 1, 2 or
 * 5 times a power of ten. About `count` steps cover the range.
 * @returns the ends, for `range` or for `regular(count, ...nice(lo, hi, count))`.
 * @throws ERR_AXIS unless the ends are finite, lo <= hi, and `count` is a whole number of at least 1.
 * @throws ERR_LIMIT for a count above 65,536.
 */
export function nice(lo: number, hi: number, count: number): [lo: number, hi: number] {
  if (!Number.isFinite(lo)) throw expected("ERR_AXIS", "lo", "a finite number", lo);
  if (!Number.isFinite(hi) || hi < lo)
    throw expected("ERR_AXIS", "hi", `a finite number from lo (${lo})`, hi);
  checkedBins(count);
  let [start, stop] = [lo, hi];
  for (let before = 0; ; ) {
    const step = stepOf(start, stop, count);
    if (step === before || step === 0 || !Number.isFinite(step)) return [start, stop];
    before = step;
    // Steps below 1 are given by their inverse, which is whole.
    [start, stop] =
      step > 0
        ? [Math.floor(start / step) * step, Math.ceil(stop / step) * step]
        : [Math.ceil(start * step) / step, Math.floor(stop * step) / step];
  }
}

/** Returns the distance of round numbers, or its negative inverse if it is below 1. Source: d3-array's tickIncrement. */
function stepOf(start: number, stop: number, count: number): number {
  const step = (stop - start) / count;
  if (!(step > 0)) return 0;
  // Decimal digits give the exact logarithm's floor, and the exact power.
  const power = Number(step.toExponential().split("e")[1]);
  const over = step / Number(`1e${power}`);
  const factor = over >= TO_TEN ? 10 : over >= TO_FIVE ? 5 : over >= TO_TWO ? 2 : 1;
  return power < 0 ? -(Number(`1e${-power}`) / factor) : Number(`1e${power}`) * factor;
}
