import type { DirectLowering } from "../../lowering/index.ts";
import { INTEGERS_AT_ONCE } from "../limits.ts";
import { bringLane, bringLanes, lanes, usesLanes } from "./lanes.ts";
import { type Loop, tableOfCodes } from "./loop.ts";

/** Samples as 32 bits, which tell all integers of a type apart. One type of array makes the loops fast. */
const integers = new Int32Array(INTEGERS_AT_ONCE);

/** Counts integers over one bin for each value. Those outside all bins share the row of underflow until a step ends. */
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
        const below = table[underflow]!;
        if (byTurns) {
          countLanes(of, first, some.length, stride);
          bringLane(table, underflow);
        } else countOne(table, of, first, some.length, stride);
        const outside = table[underflow]! - below;
        if (outside > 0) {
          const under = valuesBelow(of, first, some.length, stride);
          table[underflow] = below + under;
          table[overflow]! += outside - under;
        }
      }
      if (byTurns) bringLanes(table, bins);
    },
  };
}

/** Returns how many of the integers are below the first bin. */
function valuesBelow({ type, start }: DirectLowering, first: number, end: number, stride: number): number {
  let below = 0;
  for (let i = first; i < end; i += stride) {
    const bits = integers[i]!;
    if ((type === "u32" ? bits >>> 0 : bits) < start) below++;
  }
  return below;
}

/**
 * The distance from the first bin is the row, or else `bins` is. Signs instead of branches find it, so the time does not
 * depend on the samples.
 */
function rowOf(distance: number, bins: number): number {
  const past = (distance - bins) | 0;
  return bins + (past & ~(distance >> 31) & (past >> 31));
}

function countLanes({ start, bins }: DirectLowering, first: number, end: number, stride: number): void {
  const origin = start | 0;
  let i = first;
  for (const last = end - 3 * stride; i < last; i += 4 * stride) {
    const a = rowOf((integers[i]! - origin) | 0, bins) << 2;
    const b = (rowOf((integers[i + stride]! - origin) | 0, bins) << 2) + 1;
    const c = (rowOf((integers[i + 2 * stride]! - origin) | 0, bins) << 2) + 2;
    const d = (rowOf((integers[i + 3 * stride]! - origin) | 0, bins) << 2) + 3;
    // Without |0 a counter would be a double.
    lanes[a] = (lanes[a]! + 1) | 0;
    lanes[b] = (lanes[b]! + 1) | 0;
    lanes[c] = (lanes[c]! + 1) | 0;
    lanes[d] = (lanes[d]! + 1) | 0;
  }
  for (; i < end; i += stride) {
    const at = rowOf((integers[i]! - origin) | 0, bins) << 2;
    lanes[at] = (lanes[at]! + 1) | 0;
  }
}

function countOne(
  table: Int32Array,
  { start, bins }: DirectLowering,
  first: number,
  end: number,
  stride: number,
): void {
  const origin = start | 0;
  for (let i = first; i < end; i += stride) {
    const row = rowOf((integers[i]! - origin) | 0, bins);
    table[row] = (table[row]! + 1) | 0;
  }
}
