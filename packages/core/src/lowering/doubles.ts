import type { CellFinder } from "./cells.ts";
import { DOUBLES_AT_ONCE } from "./limits.ts";

/** Samples as doubles. The array is shared because counting is synchronous on one thread. */
export const doubles: Float64Array<ArrayBuffer> = new Float64Array(DOUBLES_AT_ONCE);
export const highWords: Int32Array = new Int32Array(doubles.buffer);

/** Adds the parts of the first `count` of `doubles` to cells from `to` on. */
export type DoublesFinder = (count: number, cells: Uint32Array, to: number) => void;

/**
 * Converts samples to doubles, a part at a time, so that all types share one loop.
 * @param begin runs before the first part
 */
export function inDoubles(begin: (() => void) | null, add: DoublesFinder): CellFinder {
  return (array, first, step, cells) => {
    begin?.();
    // Parts are whole pixels.
    const most = DOUBLES_AT_ONCE - (DOUBLES_AT_ONCE % step);
    let to = 0;
    for (let from = 0; from < array.length; from += most) {
      const some = array.subarray(from, from + most);
      doubles.set(some);
      const isTogether = step === 1 && first === 0;
      const count = isTogether ? some.length : bringTogether(first, some.length, step);
      add(count, cells, to);
      to += count;
    }
    return to;
  };
}

/** Moves the samples of one channel to the front. @returns how many there are */
function bringTogether(first: number, end: number, step: number): number {
  let count = 0;
  for (let i = first; i < end; i += step) doubles[count++] = doubles[i]!;
  return count;
}
