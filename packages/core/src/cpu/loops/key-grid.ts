import { type KeyGrid, limits } from "../../lowering/index.ts";
import { LANE_ROWS } from "../limits.ts";
import { lanes } from "./lanes.ts";
import { doubles, type Ranked } from "./ranked.ts";

const words = new Int32Array(doubles.buffer);

/** The grid of the axis, for the loop over lanes: base, span and shift, and then the rows. */
const numbers = new Float64Array(3);
const begins = new Int32Array(limits.FINDER_CELLS);
const starts = new Float64Array(LANE_ROWS);

/** Counts samples over edges that lie in different cells of a grid of keys (lowering/grid.ts). */
export function rankedByKeys(of: KeyGrid): Ranked {
  return {
    least: limits.FINDER_CELLS,
    begin() {
      numbers.set([of.base, of.span, of.shift]);
      begins.set(of.begins);
      starts.set(of.starts);
    },
    countLanes,
    countOne: (table, count) => countOne(table, of, count),
  };
}

function countLanes(count: number): void {
  const [base, span, shift] = [numbers[0]! | 0, numbers[1]!, numbers[2]! | 0];
  let i = 0;
  for (const last = count - 3; i < last; i += 4) {
    const a = doubles[i]!;
    const ofA = begins[cellOf(words[2 * i + 1]!, base, span, shift)]!;
    const atA = (ofA + Number(a >= starts[ofA]!)) << 2;
    // Without |0 a counter would be a double.
    lanes[atA] = (lanes[atA]! + 1) | 0;
    const b = doubles[i + 1]!;
    const ofB = begins[cellOf(words[2 * i + 3]!, base, span, shift)]!;
    const atB = ((ofB + Number(b >= starts[ofB]!)) << 2) + 1;
    lanes[atB] = (lanes[atB]! + 1) | 0;
    const c = doubles[i + 2]!;
    const ofC = begins[cellOf(words[2 * i + 5]!, base, span, shift)]!;
    const atC = ((ofC + Number(c >= starts[ofC]!)) << 2) + 2;
    lanes[atC] = (lanes[atC]! + 1) | 0;
    const d = doubles[i + 3]!;
    const ofD = begins[cellOf(words[2 * i + 7]!, base, span, shift)]!;
    const atD = ((ofD + Number(d >= starts[ofD]!)) << 2) + 3;
    lanes[atD] = (lanes[atD]! + 1) | 0;
  }
  for (; i < count; i++) {
    const value = doubles[i]!;
    const row = begins[cellOf(words[2 * i + 1]!, base, span, shift)]!;
    const at = (row + Number(value >= starts[row]!)) << 2;
    lanes[at] = (lanes[at]! + 1) | 0;
  }
}

function countOne(table: Int32Array, of: KeyGrid, count: number): void {
  const { base, span, shift, begins, starts } = of;
  for (let i = 0; i < count; i++) {
    const value = doubles[i]!;
    const below = begins[cellOf(words[2 * i + 1]!, base, span, shift)]!;
    const row = below + Number(value >= starts[below]!);
    table[row] = (table[row]! + 1) | 0;
  }
}

/** Returns the cell of a double by its leading word. */
function cellOf(word: number, base: number, span: number, shift: number): number {
  const distance = ((word ^ ((word >> 31) & 0x7fff_ffff)) - base) >>> 0;
  return ((distance >>> shift) + 1) & -Number(distance <= span);
}
