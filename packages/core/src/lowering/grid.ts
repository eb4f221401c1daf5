import { FINDER_CELLS } from "./limits.ts";
import { cellOf, lineThrough, ROW_BELOW, startsOf } from "./line.ts";

/**
 * Ascending thresholds, and cells that have at most one of them each. The cell gives the row of the next threshold, and
 * one comparison with it decides, as on a line (line.ts), whose rows a grid has.
 *
 *   row = begins[cell] + (value >= starts[begins[cell]])
 *
 * As values rise, the cell never falls, so any cells give exact results.
 *
 *   values   cell = |value - middle| <= reach ? (value - from) * scale, rounded down : 0
 *   keys     cell = base <= key <= base + span ? ((key - base) >>> shift) + 1 : 0
 *
 * The key is the leading word of a double, as a signed integer in the order of the doubles. NaN is out of reach.
 */
export type Grid = ValueGrid | KeyGrid;

interface GridBase {
  readonly begins: Int32Array;
  readonly starts: Float64Array;
}

export interface ValueGrid extends GridBase {
  readonly by: "values";
  /** As those of a line. */
  readonly numbers: Float64Array;
}

export interface KeyGrid extends GridBase {
  readonly by: "keys";
  readonly base: number;
  readonly span: number;
  readonly shift: number;
}

/** Returns a grid of thresholds, or null if two would share a cell. */
export function gridOf(thresholds: Float64Array): Grid | null {
  return byValues(thresholds) ?? byKeys(thresholds);
}

function byValues(thresholds: Float64Array): ValueGrid | null {
  const [first, last] = [thresholds[0]!, thresholds.at(-1)!];
  const numbers = lineThrough(first, last, (FINDER_CELLS - 4) / (last - first), 1);
  const begins = numbers && beginsOf(thresholds, (value) => cellOf(numbers, value));
  return begins && { by: "values", numbers: numbers!, begins, starts: startsOf(thresholds) };
}

function byKeys(thresholds: Float64Array): KeyGrid | null {
  const [first, last] = [thresholds[0]!, thresholds.at(-1)!];
  // The leading word of an infinity is also that of some NaN.
  if (first === -Infinity || last === Infinity) return null;
  const base = leadingOf(first);
  const span = leadingOf(last) - base;
  let shift = 0;
  while (span / 2 ** shift >= FINDER_CELLS - 4) shift++;
  const begins = beginsOf(thresholds, (value) => ((leadingOf(value) - base) >>> shift) + 1);
  return begins && { by: "keys", base, span, shift, begins, starts: startsOf(thresholds) };
}

/** Returns the row of the next threshold for each cell, or null if two thresholds share one. */
function beginsOf(thresholds: Float64Array, cell: (value: number) => number): Int32Array | null {
  const cells = Int32Array.from(thresholds, cell);
  if (cells.some((one, k) => one === cells[k - 1])) return null;
  // One more cell for values within reach above the last threshold.
  const begins = new Int32Array(cells.at(-1)! + 2);
  for (let at = 1, next = 0; at < begins.length; at++) {
    begins[at] = ROW_BELOW + next;
    if (cells[next] === at) next++;
  }
  return begins;
}

const scratch = new DataView(new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT));

/**
 * Returns the leading word of a threshold, as a signed integer in the order of the doubles. That of 0 is the word of -0,
 * because a sample of -0 is not below it.
 */
export function leadingOf(threshold: number): number {
  scratch.setFloat64(0, threshold === 0 ? -0 : threshold);
  const word = scratch.getInt32(0);
  return word ^ ((word >> 31) & 0x7fff_ffff);
}
