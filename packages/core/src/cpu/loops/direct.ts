import type { SampleArray } from "../../input/index.ts";
import type { DirectLowering } from "../../lowering/index.ts";
import { INTEGERS_AT_ONCE } from "../limits.ts";
import { bringLanes, lanes, usesLanes } from "./lanes.ts";
import type { Loop } from "./loop.ts";

/** Samples as 32 bits, which tell all integers of a type apart. One type of array makes the loops fast. */
const integers = new Int32Array(INTEGERS_AT_ONCE);

/**
 * Counts integers over one bin for each value. The distance from the first bin finds the row, without a branch:
 *
 *   row   0                 1 … bins
 *         outside all bins  the bins
 */
export function directLoop(of: DirectLowering): Loop {
  const { bins } = of;
  const underflow = bins + 1;
  const overflow = underflow + 1;
  const rows = overflow + 1;
  const add = (table: Int32Array, run: SampleArray, first: number, stride: number): void => {
    const byTurns = usesLanes(rows, run.length / stride);
    // Steps are whole pixels.
    const most = INTEGERS_AT_ONCE - (INTEGERS_AT_ONCE % stride);
    for (let from = 0; from < run.length; from += most) {
      const some = run.length <= most ? run : run.subarray(from, from + most);
      integers.set(some as Int32Array);
      const count = stride === 1 ? some.length : bringTogether(first, some.length, stride);
      let outside: number;
      if (byTurns) {
        countLanes(of, count);
        outside = lanes[0]! + lanes[1]! + lanes[2]! + lanes[3]!;
        if (outside > 0) lanes.fill(0, 0, 4);
      } else {
        countOne(table, of, count);
        outside = table[0]!;
        table[0] = 0;
      }
      if (outside > 0) {
        const below = valuesBelow(of, count);
        table[underflow]! += below;
        table[overflow]! += outside - below;
      }
    }
    if (byTurns) bringLanes(table, underflow);
  };
  // No integer is NaN, and row 0 is empty.
  return { rows, bins, firstBin: 1, flow: [underflow, overflow, 0], add };
}

/** Moves the samples of one channel to the front. @returns how many there are */
function bringTogether(first: number, end: number, stride: number): number {
  let count = 0;
  for (let i = first; i < end; i += stride) integers[count++] = integers[i]!;
  return count;
}

/** Returns how many of the integers are below the first bin. */
function valuesBelow({ type, start }: DirectLowering, count: number): number {
  // With the first bit flipped, unsigned integers have the order of signed ones.
  const flip = type === "u32" ? 1 << 31 : 0;
  const origin = start ^ flip;
  let below = 0;
  for (let i = 0; i < count; i++) {
    const value = integers[i]! ^ flip;
    // The sign of value - origin, without its overflow. A branch would be unpredictable.
    below += ((value & ~origin) | (~(value ^ origin) & ((value - origin) | 0))) >>> 31;
  }
  return below;
}

function countLanes({ start, bins }: DirectLowering, count: number): void {
  const before = (start - 1) | 0;
  let i = 0;
  for (const last = count - 3; i < last; i += 4) {
    const a = (integers[i]! - before) | 0;
    const atA = (a & -Number((a - 1) >>> 0 < bins)) << 2;
    // Without |0 a counter would be a double.
    lanes[atA] = (lanes[atA]! + 1) | 0;
    const b = (integers[i + 1]! - before) | 0;
    const atB = ((b & -Number((b - 1) >>> 0 < bins)) << 2) + 1;
    lanes[atB] = (lanes[atB]! + 1) | 0;
    const c = (integers[i + 2]! - before) | 0;
    const atC = ((c & -Number((c - 1) >>> 0 < bins)) << 2) + 2;
    lanes[atC] = (lanes[atC]! + 1) | 0;
    const d = (integers[i + 3]! - before) | 0;
    const atD = ((d & -Number((d - 1) >>> 0 < bins)) << 2) + 3;
    lanes[atD] = (lanes[atD]! + 1) | 0;
  }
  for (; i < count; i++) {
    const distance = (integers[i]! - before) | 0;
    const at = (distance & -Number((distance - 1) >>> 0 < bins)) << 2;
    lanes[at] = (lanes[at]! + 1) | 0;
  }
}

function countOne(table: Int32Array, { start, bins }: DirectLowering, count: number): void {
  const before = (start - 1) | 0;
  for (let i = 0; i < count; i++) {
    const distance = (integers[i]! - before) | 0;
    const row = distance & -Number((distance - 1) >>> 0 < bins);
    table[row] = (table[row]! + 1) | 0;
  }
}
