import type { DirectLowering } from "../../lowering/index.ts";
import { INTEGERS_AT_ONCE } from "../limits.ts";
import { bringLanes, lanes, usesLanes } from "./lanes.ts";
import { type Loop, tableOfCodes } from "./loop.ts";

/** Samples as 32 bits, which tell all integers of a type apart. One type of array makes the loops fast. */
const integers = new Int32Array(INTEGERS_AT_ONCE);

/** Counts integers over one bin for each value. */
export function directLoop(of: DirectLowering): Loop {
  const { bins } = of;
  const layout = tableOfCodes(bins);
  const [underflow, overflow] = layout.flow;
  return {
    ...layout,
    add(table, run, first, stride) {
      const byTurns = usesLanes(layout.rows, run.length / stride);
      // Steps are whole pixels.
      const most = INTEGERS_AT_ONCE - (INTEGERS_AT_ONCE % stride);
      for (let from = 0; from < run.length; from += most) {
        const some = run.length <= most ? run : run.subarray(from, from + most);
        integers.set(some as Int32Array);
        const end = some.length;
        const outside = byTurns
          ? countLanes(of, first, end, stride)
          : countOne(table, of, first, end, stride);
        if (outside === 0) continue;
        const below = valuesBelow(of, first, end, stride);
        table[underflow]! += below;
        table[overflow]! += outside - below;
      }
      if (byTurns) bringLanes(table, bins);
    },
  };
}

/** Returns how many of the integers are below the first bin. */
function valuesBelow({ type, start }: DirectLowering, first: number, end: number, stride: number): number {
  // With the first bit flipped, unsigned integers have the order of signed ones.
  const flip = type === "u32" ? 1 << 31 : 0;
  const origin = start ^ flip;
  let below = 0;
  for (let i = first; i < end; i += stride) below += Number((integers[i]! ^ flip) < origin);
  return below;
}

/** @returns the number of samples outside all bins */
function countLanes({ start, bins }: DirectLowering, first: number, end: number, stride: number): number {
  const origin = start | 0;
  let outside = 0;
  let i = first;
  for (const last = end - 3 * stride; i < last; i += 4 * stride) {
    const a = (integers[i]! - origin) | 0;
    // Without |0 a counter would be a double.
    if (a >>> 0 < bins) lanes[a << 2] = (lanes[a << 2]! + 1) | 0;
    else outside = (outside + 1) | 0;
    const b = (integers[i + stride]! - origin) | 0;
    if (b >>> 0 < bins) lanes[(b << 2) + 1] = (lanes[(b << 2) + 1]! + 1) | 0;
    else outside = (outside + 1) | 0;
    const c = (integers[i + 2 * stride]! - origin) | 0;
    if (c >>> 0 < bins) lanes[(c << 2) + 2] = (lanes[(c << 2) + 2]! + 1) | 0;
    else outside = (outside + 1) | 0;
    const d = (integers[i + 3 * stride]! - origin) | 0;
    if (d >>> 0 < bins) lanes[(d << 2) + 3] = (lanes[(d << 2) + 3]! + 1) | 0;
    else outside = (outside + 1) | 0;
  }
  for (; i < end; i += stride) {
    const bin = (integers[i]! - origin) | 0;
    if (bin >>> 0 < bins) lanes[bin << 2] = (lanes[bin << 2]! + 1) | 0;
    else outside = (outside + 1) | 0;
  }
  return outside;
}

/** @returns the number of samples outside all bins */
function countOne(
  table: Int32Array,
  { start, bins }: DirectLowering,
  first: number,
  end: number,
  stride: number,
): number {
  const origin = start | 0;
  let outside = 0;
  for (let i = first; i < end; i += stride) {
    const bin = (integers[i]! - origin) | 0;
    if (bin >>> 0 < bins) table[bin] = (table[bin]! + 1) | 0;
    else outside = (outside + 1) | 0;
  }
  return outside;
}
