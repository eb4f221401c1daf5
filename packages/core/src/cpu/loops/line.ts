import type { Line } from "../../lowering/index.ts";
import { LANE_ROWS } from "../limits.ts";
import { lanes } from "./lanes.ts";
import { doubles, type Ranked } from "./ranked.ts";

/** The line of the axis, for the loop over lanes. */
const numbers = new Float64Array(4);
const starts = new Float64Array(LANE_ROWS);

/** Counts samples over evenly spaced edges (lowering/line.ts). */
export function rankedByLine(of: Line): Ranked {
  return {
    least: 0,
    begin() {
      numbers.set(of.numbers);
      starts.set(of.starts);
    },
    countLanes,
    countOne: (table, count) => countOne(table, of, count),
  };
}

function countLanes(count: number): void {
  const [from, scale, middle, reach] = [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3]!];
  let i = 0;
  for (const last = count - 3; i < last; i += 4) {
    const a = doubles[i]!;
    const ofA = ((a - from) * scale) & -Number(Math.abs(a - middle) <= reach);
    const atA = (ofA + Number(a >= starts[ofA]!)) << 2;
    // Without |0 a counter would be a double.
    lanes[atA] = (lanes[atA]! + 1) | 0;
    const b = doubles[i + 1]!;
    const ofB = ((b - from) * scale) & -Number(Math.abs(b - middle) <= reach);
    const atB = ((ofB + Number(b >= starts[ofB]!)) << 2) + 1;
    lanes[atB] = (lanes[atB]! + 1) | 0;
    const c = doubles[i + 2]!;
    const ofC = ((c - from) * scale) & -Number(Math.abs(c - middle) <= reach);
    const atC = ((ofC + Number(c >= starts[ofC]!)) << 2) + 2;
    lanes[atC] = (lanes[atC]! + 1) | 0;
    const d = doubles[i + 3]!;
    const ofD = ((d - from) * scale) & -Number(Math.abs(d - middle) <= reach);
    const atD = ((ofD + Number(d >= starts[ofD]!)) << 2) + 3;
    lanes[atD] = (lanes[atD]! + 1) | 0;
  }
  for (; i < count; i++) {
    const value = doubles[i]!;
    const row = ((value - from) * scale) & -Number(Math.abs(value - middle) <= reach);
    const at = (row + Number(value >= starts[row]!)) << 2;
    lanes[at] = (lanes[at]! + 1) | 0;
  }
}

function countOne(table: Int32Array, of: Line, count: number): void {
  const [from, scale, middle, reach] = [of.numbers[0]!, of.numbers[1]!, of.numbers[2]!, of.numbers[3]!];
  const { starts } = of;
  for (let i = 0; i < count; i++) {
    const value = doubles[i]!;
    const below = ((value - from) * scale) & -Number(Math.abs(value - middle) <= reach);
    const row = below + Number(value >= starts[below]!);
    table[row] = (table[row]! + 1) | 0;
  }
}
