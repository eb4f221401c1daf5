import type { CellFinder } from "./cells.ts";
import { type DoublesFinder, doubles, highWords, inDoubles } from "./doubles.ts";
import { leadingOf } from "./grid.ts";
import { guessFinder, type Thresholds } from "./guess.ts";
import { FINDER_CELLS } from "./limits.ts";

/** Returns a loop that adds each sample's part to a cell. */
export function thresholdFinder(of: Thresholds): CellFinder {
  return guessFinder(of) ?? searchFinder(of);
}

/** Returns the loop for thresholds that no guess finds. */
export function searchFinder(of: Thresholds): CellFinder {
  return inDoubles(null, anyhow(of));
}

/**
 * Edges of any spacing: a cell of the thresholds' range has the first candidate, and every sample takes as many halvings
 * as the fullest cell needs. Cells divide the range of values evenly, or that of keys, whichever has the emptier cells.
 * As values rise, the cell never falls, so any cells give exact results.
 */
function anyhow({ thresholds, parts }: Thresholds): DoublesFinder {
  const [origin, end] = [thresholds[0]!, thresholds.at(-1)!];
  const scale = end > origin ? (FINDER_CELLS - 1) / (end - origin) : 0;
  const line = Number.isFinite(scale) ? search(thresholds, (value) => ((value - origin) * scale) | 0) : null;
  const base = leadingOf(origin);
  const most = leadingOf(end);
  let shift = 0;
  while ((most - base) / 2 ** shift >= FINDER_CELLS) shift++;
  const keys = search(thresholds, (value) => (leadingOf(value) - base) >>> shift);
  if (line === null || keys.halvings < line.halvings) return byKeys(keys, parts, base, most, shift);
  return byLine(line, parts, origin, end, scale);
}

interface Search {
  /** Number of thresholds before each cell. */
  readonly starts: Int32Array;
  /** Halvings that find the rank in any cell. */
  readonly halvings: number;
  /** The thresholds, and values that no sample reaches, so that a search can go past the last threshold. */
  readonly all: Float64Array;
}

function search(thresholds: Float64Array, cellOf: (value: number) => number): Search {
  const cells = Array.from(thresholds, cellOf);
  const starts = new Int32Array(cells.at(-1)! + 1);
  let fullest = 1;
  for (let cell = 0, next = 0; cell < starts.length; cell++) {
    starts[cell] = next;
    while (next < cells.length && cells[next]! <= cell) next++;
    fullest = Math.max(fullest, next - starts[cell]!);
  }
  const halvings = 32 - Math.clz32(fullest);
  const all = new Float64Array(thresholds.length + 2 ** halvings).fill(Number.NaN);
  all.set(thresholds);
  return { starts, halvings, all };
}

function byLine(
  { starts, halvings, all }: Search,
  parts: Uint32Array,
  origin: number,
  end: number,
  scale: number,
): DoublesFinder {
  return (count, cells, to) => {
    let at = to;
    for (let i = 0; i < count; i++) {
      const value = doubles[i]!;
      let rank = starts[((Math.min(Math.max(value, origin), end) - origin) * scale) | 0]!;
      for (let bit = halvings - 1; bit >= 0; bit--) {
        rank = (rank + (Number(all[rank + (1 << bit) - 1]! <= value) << bit)) | 0;
      }
      cells[at++]! += parts[Number.isNaN(value) ? 0 : rank + 1]!;
    }
  };
}

function byKeys(
  { starts, halvings, all }: Search,
  parts: Uint32Array,
  base: number,
  most: number,
  shift: number,
): DoublesFinder {
  return (count, cells, to) => {
    let at = to;
    for (let i = 0; i < count; i++) {
      const value = doubles[i]!;
      const word = highWords[2 * i + 1]!;
      const key = word ^ ((word >> 31) & 0x7fff_ffff);
      let rank = starts[(Math.min(Math.max(key, base), most) - base) >>> shift]!;
      for (let bit = halvings - 1; bit >= 0; bit--) {
        rank = (rank + (Number(all[rank + (1 << bit) - 1]! <= value) << bit)) | 0;
      }
      cells[at++]! += parts[Number.isNaN(value) ? 0 : rank + 1]!;
    }
  };
}
