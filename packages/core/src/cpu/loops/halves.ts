import { HALF_VALUES } from "../../base/index.ts";
import { bitsOf } from "../../input/index.ts";
import type { TableLowering } from "../../lowering/index.ts";
import { bringLanes, lanes, usesLanes } from "./lanes.ts";
import { type Loop, tableOfCodes } from "./loop.ts";

/** Counts 16-bit samples by their codes, which a table has for each of the 65,536 values. */
export function tableLoop({ table: codes, bins }: TableLowering): Loop {
  const layout = tableOfCodes(bins);
  return {
    ...layout,
    add(table, run, first, stride) {
      const halves = bitsOf(run) as Uint16Array;
      if (usesLanes(layout.rows, run.length / stride)) {
        countLanes(codes, halves, first, stride);
        bringLanes(table, layout.rows);
        return;
      }
      for (let i = first; i < halves.length; i += stride) {
        const code = codes[halves[i]!]!;
        table[code] = (table[code]! + 1) | 0;
      }
    },
  };
}

function countLanes(codes: Uint32Array, halves: Uint16Array, first: number, stride: number): void {
  let i = first;
  for (const last = halves.length - 3 * stride; i < last; i += 4 * stride) {
    const a = codes[halves[i]!]! << 2;
    const b = (codes[halves[i + stride]!]! << 2) + 1;
    const c = (codes[halves[i + 2 * stride]!]! << 2) + 2;
    const d = (codes[halves[i + 3 * stride]!]! << 2) + 3;
    lanes[a] = (lanes[a]! + 1) | 0;
    lanes[b] = (lanes[b]! + 1) | 0;
    lanes[c] = (lanes[c]! + 1) | 0;
    lanes[d] = (lanes[d]! + 1) | 0;
  }
  for (; i < halves.length; i += stride) {
    const at = codes[halves[i]!]! << 2;
    lanes[at] = (lanes[at]! + 1) | 0;
  }
}

/** Counts 16-bit samples over one bin for each of the 65,536 values. @param start the least of them */
export function everyHalfLoop(start: number): Loop {
  return {
    ...tableOfCodes(HALF_VALUES),
    add: (table, run, first, stride) => countHalves(table, bitsOf(run) as Uint16Array, first, stride, start),
  };
}

function countHalves(
  table: Int32Array,
  halves: Uint16Array,
  first: number,
  stride: number,
  start: number,
): void {
  let i = first;
  for (const last = halves.length - 3 * stride; i < last; i += 4 * stride) {
    const a = (halves[i]! - start) & 0xffff;
    const b = (halves[i + stride]! - start) & 0xffff;
    const c = (halves[i + 2 * stride]! - start) & 0xffff;
    const d = (halves[i + 3 * stride]! - start) & 0xffff;
    table[a] = (table[a]! + 1) | 0;
    table[b] = (table[b]! + 1) | 0;
    table[c] = (table[c]! + 1) | 0;
    table[d] = (table[d]! + 1) | 0;
  }
  for (; i < halves.length; i += stride) {
    const bin = (halves[i]! - start) & 0xffff;
    table[bin] = (table[bin]! + 1) | 0;
  }
}
