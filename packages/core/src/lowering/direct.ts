import type { CellFinder } from "./cells.ts";
import { DOUBLES_AT_ONCE } from "./limits.ts";
import { type DirectLowering, OVERFLOW, UNDERFLOW } from "./lowering.ts";

/** Samples as 32 bits, which tell all integers of a type apart. One type of array makes the loop fast. */
const integers = new Int32Array(DOUBLES_AT_ONCE);

/** Finds the parts of integers over one bin for each value. */
export function directFinder({ type, start, bins }: DirectLowering, parts: Uint32Array): CellFinder {
  const [below, above] = [parts[bins + UNDERFLOW]!, parts[bins + OVERFLOW]!];
  // With the first bit flipped, unsigned integers have the order of signed ones.
  const flip = type === "u32" ? 1 << 31 : 0;
  const origin = start ^ flip;
  return (array, first, step, cells) => {
    // Parts are whole pixels.
    const most = DOUBLES_AT_ONCE - (DOUBLES_AT_ONCE % step);
    let at = 0;
    for (let from = 0; from < array.length; from += most) {
      const some = array.subarray(from, from + most);
      integers.set(some as Int32Array);
      for (let i = first; i < some.length; i += step) {
        const value = integers[i]! ^ flip;
        const bin = (value - origin) >>> 0;
        cells[at++]! += bin < bins ? parts[bin]! : value < origin ? below : above;
      }
    }
    return at;
  };
}
