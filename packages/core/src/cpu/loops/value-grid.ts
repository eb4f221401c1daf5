import { limits, type ValueGrid } from "../../lowering/index.ts";
import { LANE_ROWS } from "../limits.ts";
import { lanes } from "./lanes.ts";
import { doubles, type Ranked } from "./ranked.ts";

/** The grid of the axis, for the loop over lanes. */
const numbers = new Float64Array(4);
const begins = new Int32Array(limits.FINDER_CELLS);
const starts = new Float64Array(LANE_ROWS);

/** Counts samples over edges that lie in different cells of a grid of values (lowering/grid.ts). */
export function rankedByValues(of: ValueGrid): Ranked {
  return {
    least: limits.FINDER_CELLS,
    begin() {
      numbers.set(of.numbers);
      begins.set(of.begins);
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
    const ofA = begins[((a - from) * scale) & -Number(Math.abs(a - middle) <= reach)]!;
    const atA = (ofA + Number(a >= starts[ofA]!)) << 2;
    // Without |0 a counter would be a double.
    lanes[atA] = (lanes[atA]! + 1) | 0;
    const b = doubles[i + 1]!;
    const ofB = begins[((b - from) * scale) & -Number(Math.abs(b - middle) <= reach)]!;
    const atB = ((ofB + Number(b >= starts[ofB]!)) << 2) + 1;
    lanes[atB] = (lanes[atB]! + 1) | 0;
    const c = doubles[i + 2]!;
    const ofC = begins[((c - from) * scale) & -Number(Math.abs(c - middle) <= reach)]!;
    const atC = ((ofC + Number(c >= starts[ofC]!)) << 2) + 2;
    lanes[atC] = (lanes[atC]! + 1) | 0;
    const d = doubles[i + 3]!;
    const ofD = begins[((d - from) * scale) & -Number(Math.abs(d - middle) <= reach)]!;
    const atD = ((ofD + Number(d >= starts[ofD]!)) << 2) + 3;
    lanes[atD] = (lanes[atD]! + 1) | 0;
  }
  for (; i < count; i++) {
    const value = doubles[i]!;
    const row = begins[((value - from) * scale) & -Number(Math.abs(value - middle) <= reach)]!;
    const at = (row + Number(value >= starts[row]!)) << 2;
    lanes[at] = (lanes[at]! + 1) | 0;
  }
}

function countOne(table: Int32Array, of: ValueGrid, count: number): void {
  const [from, scale, middle, reach] = [of.numbers[0]!, of.numbers[1]!, of.numbers[2]!, of.numbers[3]!];
  const { begins, starts } = of;
  for (let i = 0; i < count; i++) {
    const value = doubles[i]!;
    const below = begins[((value - from) * scale) & -Number(Math.abs(value - middle) <= reach)]!;
    const row = below + Number(value >= starts[below]!);
    table[row] = (table[row]! + 1) | 0;
  }
}
