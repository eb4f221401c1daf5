import type { SampleArray } from "../../input/index.ts";
import { type Line, limits } from "../../lowering/index.ts";
import { LANE_ROWS } from "../limits.ts";
import { bringLanes, lanes, usesLanes } from "./lanes.ts";
import type { Loop } from "./loop.ts";

/** Samples as doubles, which hold all types. A loop that always sees the same type of array is several times as fast. */
const doubles = new Float64Array(limits.DOUBLES_AT_ONCE);
/** The line of the axis, for the loop over lanes. */
const numbers = new Float64Array(4);
const starts = new Float64Array(LANE_ROWS);

/** Rows of a line: NaN and far below, far above, near below, underflow, the bins, overflow. One for NaN follows. */
const FAR_ABOVE = 1;
const NEAR_BELOW = 2;
const UNDERFLOW_ROW = 3;
const FIRST_BIN = 4;

/** Counts samples of any type over evenly spaced edges (lowering/line.ts). */
export function evenLoop(line: Line, bins: number): Loop {
  const overflow = FIRST_BIN + bins;
  const nan = overflow + 1;
  const rows = nan + 1;
  const add = (table: Int32Array, run: SampleArray, first: number, stride: number): void => {
    const byTurns = usesLanes(rows, run.length / stride);
    if (byTurns) {
      numbers.set(line.numbers);
      starts.set(line.starts);
    }
    // Steps are whole pixels.
    const most = doubles.length - (doubles.length % stride);
    for (let from = 0; from < run.length; from += most) {
      const some = run.length <= most ? run : run.subarray(from, from + most);
      doubles.set(some);
      let far: number;
      if (byTurns) {
        countLanes(first, some.length, stride);
        far = lanes[0]! + lanes[1]! + lanes[2]! + lanes[3]!;
        if (far > 0) lanes.fill(0, 0, 4);
      } else {
        countOne(table, line, first, some.length, stride);
        far = table[0]!;
        table[0] = 0;
      }
      if (far > 0) {
        const nans = nansAmong(first, some.length, stride);
        table[nan]! += nans;
        table[UNDERFLOW_ROW]! += far - nans;
      }
    }
    if (byTurns) bringLanes(table, rows);
    table[overflow]! += table[FAR_ABOVE]!;
    table[UNDERFLOW_ROW]! += table[NEAR_BELOW]!;
    table.fill(0, FAR_ABOVE, UNDERFLOW_ROW);
  };
  return { rows, bins, firstBin: FIRST_BIN, flow: [UNDERFLOW_ROW, overflow, nan], add };
}

function nansAmong(first: number, end: number, stride: number): number {
  let nans = 0;
  for (let i = first; i < end; i += stride) nans += Number(Number.isNaN(doubles[i]!));
  return nans;
}

function countLanes(first: number, end: number, stride: number): void {
  const [from, scale, middle, reach] = [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3]!];
  let i = first;
  for (const last = end - 3 * stride; i < last; i += 4 * stride) {
    const a = doubles[i]!;
    const b = doubles[i + stride]!;
    const c = doubles[i + 2 * stride]!;
    const d = doubles[i + 3 * stride]!;
    const ofA = ((a - from) * scale) & -Number(Math.abs(a - middle) <= reach);
    const ofB = ((b - from) * scale) & -Number(Math.abs(b - middle) <= reach);
    const ofC = ((c - from) * scale) & -Number(Math.abs(c - middle) <= reach);
    const ofD = ((d - from) * scale) & -Number(Math.abs(d - middle) <= reach);
    const atA = (ofA + Number(a >= starts[ofA]!)) << 2;
    const atB = ((ofB + Number(b >= starts[ofB]!)) << 2) + 1;
    const atC = ((ofC + Number(c >= starts[ofC]!)) << 2) + 2;
    const atD = ((ofD + Number(d >= starts[ofD]!)) << 2) + 3;
    // Without |0 a counter would be a double.
    lanes[atA] = (lanes[atA]! + 1) | 0;
    lanes[atB] = (lanes[atB]! + 1) | 0;
    lanes[atC] = (lanes[atC]! + 1) | 0;
    lanes[atD] = (lanes[atD]! + 1) | 0;
  }
  for (; i < end; i += stride) {
    const value = doubles[i]!;
    const cell = ((value - from) * scale) & -Number(Math.abs(value - middle) <= reach);
    const at = (cell + Number(value >= starts[cell]!)) << 2;
    lanes[at] = (lanes[at]! + 1) | 0;
  }
}

function countOne(table: Int32Array, of: Line, first: number, end: number, stride: number): void {
  const [from, scale, middle, reach] = [of.numbers[0]!, of.numbers[1]!, of.numbers[2]!, of.numbers[3]!];
  const { starts } = of;
  for (let i = first; i < end; i += stride) {
    const value = doubles[i]!;
    const cell = ((value - from) * scale) & -Number(Math.abs(value - middle) <= reach);
    const row = cell + Number(value >= starts[cell]!);
    table[row] = (table[row]! + 1) | 0;
  }
}
