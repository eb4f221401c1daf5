import type { CellFinder } from "./cells.ts";
import { DOUBLES_AT_ONCE } from "./limits.ts";

/** Samples as doubles. The array is shared because counting is synchronous on one thread. */
export const doubles: Float64Array<ArrayBuffer> = new Float64Array(DOUBLES_AT_ONCE);
export const highWords: Int32Array = new Int32Array(doubles.buffer);

/** Adds the parts of every `step`-th of `doubles`, from `first` to before `end`, to cells from `to` on. */
export type DoublesFinder = (
  first: number,
  end: number,
  step: number,
  cells: Uint32Array,
  to: number,
) => number;

/**
 * Converts samples to doubles, a part at a time, so that all types share one loop.
 * @param begin runs before the first part
 */
export function inDoubles(begin: (() => void) | null, add: DoublesFinder): CellFinder {
  return (array, first, step, cells) => {
    begin?.();
    // Parts are whole pixels.
    const most = DOUBLES_AT_ONCE - (DOUBLES_AT_ONCE % step);
    let count = 0;
    for (let from = 0; from < array.length; from += most) {
      const some = array.subarray(from, from + most);
      doubles.set(some);
      count = add(first, some.length, step, cells, count);
    }
    return count;
  };
}
