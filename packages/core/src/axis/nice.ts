import { expected } from "../base/index.ts";
import { checkedBins } from "./axis.ts";

/** Ratios from which a step is rounded to 10, 5 and 2 times a power of ten. */
const TO_TEN = Math.sqrt(50);
const TO_FIVE = Math.sqrt(10);
const TO_TWO = Math.SQRT2;

/**
 * Extends a range to round numbers, as d3-array's `nice(lo, hi, count)`. Both ends become multiples of a step of 1, 2 or
 * 5 times a power of ten. About `count` steps cover the range. A single step around 0 has no round ends: as d3's, the
 * range is then extended to about the largest number.
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
    const { multipleOf, valueAt } = multiplesOf(step);
    const [first, last] = [Math.ceil(multipleOf(start)), Math.floor(multipleOf(stop))];
    [start, stop] = [
      valueAt(valueAt(first) > start ? first - 1 : first),
      valueAt(valueAt(last) < stop ? last + 1 : last),
    ];
  }
}

/**
 * Returns the distance of round numbers, or its negative inverse if it is below 1. If no round number lies in the range
 * of a single step, it is the distance of two. It is d3's arithmetic in every bit, `Math.pow` included.
 * Source: d3-array's tickIncrement.
 */
function stepOf(start: number, stop: number, count: number): number {
  const step = (stop - start) / count;
  if (!(step > 0)) return 0;
  const power = Math.floor(Math.log10(step));
  const over = step / 10 ** power;
  const factor = over >= TO_TEN ? 10 : over >= TO_FIVE ? 5 : over >= TO_TWO ? 2 : 1;
  const distance = power < 0 ? -(10 ** -power / factor) : 10 ** power * factor;
  return count >= 2 || holdsMultiple(start, stop, distance) ? distance : stepOf(start, stop, 2 * count);
}

/** Whether a range holds a multiple of a step. */
function holdsMultiple(start: number, stop: number, step: number): boolean {
  const { multipleOf, valueAt } = multiplesOf(step);
  const [first, last] = [Math.round(multipleOf(start)), Math.round(multipleOf(stop))];
  return (valueAt(first) < start ? first + 1 : first) <= (valueAt(last) > stop ? last - 1 : last);
}

/** Converts between values and multiples of a step. A step below 1 is given by its negative inverse, which is whole. */
function multiplesOf(step: number): Readonly<Record<"multipleOf" | "valueAt", (x: number) => number>> {
  return step > 0
    ? { multipleOf: (value) => value / step, valueAt: (multiple) => multiple * step }
    : { multipleOf: (value) => value * -step, valueAt: (multiple) => multiple / -step };
}
