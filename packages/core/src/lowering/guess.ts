import type { CellFinder } from "./cells.ts";
import { doubles, highWords, inDoubles } from "./doubles.ts";
import { type Grid, gridOf } from "./grid.ts";
import { FINDER_CELLS, GUESS_ROWS } from "./limits.ts";
import { lineOf } from "./line.ts";

// The numbers that samples are compared with. Counting is synchronous on one thread, so all finders copy theirs to the same memory,
// whose address compiled code embeds.
const numbers = new Float64Array(4);
const begins = new Int32Array(FINDER_CELLS);
const starts = new Float64Array(GUESS_ROWS);
const parts = new Int32Array(GUESS_ROWS + 1);

/**
 * The values at which a row begins, and the part of each row in the cell:
 *
 *   row    0     1                   2 …
 *          NaN   below thresholds[0]  from thresholds[0] on
 */
export interface Thresholds {
  readonly thresholds: Float64Array;
  readonly parts: Uint32Array;
}

/** Finds the parts of samples among few thresholds without a search. Null: only a search finds them. */
export function guessFinder(of: Thresholds): CellFinder | null {
  const line = lineOf(of.thresholds);
  const grid = line === null ? gridOf(of.thresholds) : null;
  const found = line ?? grid;
  if (found === null || found.starts.length > GUESS_ROWS) return null;
  const own = partsByRow(of);
  const begin = (): void => {
    starts.set(found.starts);
    parts.set(own);
    if (line !== null) numbers.set(line.numbers);
    else setGrid(grid!);
  };
  return inDoubles(begin, line !== null ? addByLine : grid!.by === "values" ? addByValues : addByKeys);
}

function setGrid(grid: Grid): void {
  begins.set(grid.begins);
  if (grid.by === "values") numbers.set(grid.numbers);
  else numbers.set([grid.base, grid.span, grid.shift]);
}

/** Returns the parts of NaN and then of the rows of a line: far below, far above, twice near below, and the others. */
function partsByRow({ thresholds, parts: of }: Thresholds): Uint32Array {
  const [nan, below, above] = [of[0]!, of[1]!, of[thresholds.length + 1]!];
  return Uint32Array.of(nan, below, above, below, below, ...of.subarray(2, thresholds.length + 2));
}

function addByLine(count: number, cells: Uint32Array, to: number): void {
  const [from, scale, middle, reach] = [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3]!];
  let at = to;
  let i = 0;
  for (const last = count - 3; i < last; i += 4, at += 4) {
    const a = doubles[i]!;
    const ofA = ((a - from) * scale) & -Number(Math.abs(a - middle) <= reach);
    const partA = parts[ofA + Number(a >= starts[ofA]!) + Number(!Number.isNaN(a))]!;
    cells[at] = (cells[at]! + partA) | 0;
    const b = doubles[i + 1]!;
    const ofB = ((b - from) * scale) & -Number(Math.abs(b - middle) <= reach);
    const partB = parts[ofB + Number(b >= starts[ofB]!) + Number(!Number.isNaN(b))]!;
    cells[at + 1] = (cells[at + 1]! + partB) | 0;
    const c = doubles[i + 2]!;
    const ofC = ((c - from) * scale) & -Number(Math.abs(c - middle) <= reach);
    const partC = parts[ofC + Number(c >= starts[ofC]!) + Number(!Number.isNaN(c))]!;
    cells[at + 2] = (cells[at + 2]! + partC) | 0;
    const d = doubles[i + 3]!;
    const ofD = ((d - from) * scale) & -Number(Math.abs(d - middle) <= reach);
    const partD = parts[ofD + Number(d >= starts[ofD]!) + Number(!Number.isNaN(d))]!;
    cells[at + 3] = (cells[at + 3]! + partD) | 0;
  }
  for (; i < count; i++, at++) {
    const value = doubles[i]!;
    const row = ((value - from) * scale) & -Number(Math.abs(value - middle) <= reach);
    const part = parts[row + Number(value >= starts[row]!) + Number(!Number.isNaN(value))]!;
    cells[at] = (cells[at]! + part) | 0;
  }
}

function addByValues(count: number, cells: Uint32Array, to: number): void {
  const [from, scale, middle, reach] = [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3]!];
  let at = to;
  for (let i = 0; i < count; i++) {
    const value = doubles[i]!;
    const row = begins[((value - from) * scale) & -Number(Math.abs(value - middle) <= reach)]!;
    const part = parts[row + Number(value >= starts[row]!) + Number(!Number.isNaN(value))]!;
    cells[at] = (cells[at]! + part) | 0;
    at++;
  }
}

function addByKeys(count: number, cells: Uint32Array, to: number): void {
  const [base, span, shift] = [numbers[0]! | 0, numbers[1]!, numbers[2]! | 0];
  let at = to;
  for (let i = 0; i < count; i++) {
    const value = doubles[i]!;
    const word = highWords[2 * i + 1]!;
    const distance = ((word ^ ((word >> 31) & 0x7fff_ffff)) - base) >>> 0;
    const row = begins[((distance >>> shift) + 1) & -Number(distance <= span)]!;
    const part = parts[row + Number(value >= starts[row]!) + Number(!Number.isNaN(value))]!;
    cells[at] = (cells[at]! + part) | 0;
    at++;
  }
}
