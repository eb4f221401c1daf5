import { PolybinError } from "@polybin/core";

/** Counts of numbered cells without those that are 0. Its size depends on the samples and never on the axes. */
export interface Cells {
  /** Ascending numbers of cells. */
  readonly cells: Uint32Array;
  /** The exact count of each, at least 1. */
  readonly counts: Float64Array;
}

/** Keeps the cells of an array that are not 0. */
export function cellsOf(all: ArrayLike<number>): Cells {
  let filled = 0;
  for (let i = 0; i < all.length; i++) if (all[i]! > 0) filled += 1;
  const cells = new Uint32Array(filled);
  const counts = new Float64Array(filled);
  for (let i = 0, to = 0; i < all.length; i++) {
    if (!(all[i]! > 0)) continue;
    cells[to] = i;
    counts[to] = all[i]!;
    to += 1;
  }
  return { cells, counts };
}

/** Adds cells to an array that has all of them. @throws ERR_LIMIT if a count would no longer be exact */
export function addTo(all: Float64Array, { cells, counts }: Cells): void {
  for (let i = 0; i < cells.length; i++) all[cells[i]!] = exactSum(all[cells[i]!]!, counts[i]!);
}

/** Adds up two sets of cells. @throws ERR_LIMIT if a count would no longer be exact */
export function addedCells(a: Cells, b: Cells): Cells {
  const most = a.cells.length + b.cells.length;
  const cells = new Uint32Array(most);
  const counts = new Float64Array(most);
  let [i, j, to] = [0, 0, 0];
  while (i < a.cells.length || j < b.cells.length) {
    const left = a.cells[i] ?? Number.POSITIVE_INFINITY;
    const right = b.cells[j] ?? Number.POSITIVE_INFINITY;
    cells[to] = Math.min(left, right);
    counts[to] =
      left < right ? a.counts[i]! : right < left ? b.counts[j]! : exactSum(a.counts[i]!, b.counts[j]!);
    if (left <= right) i += 1;
    if (right <= left) j += 1;
    to += 1;
  }
  return { cells: cells.slice(0, to), counts: counts.slice(0, to) };
}

/** @throws ERR_LIMIT above 2^53 - 1 */
export function exactSum(a: number, b: number): number {
  const sum = a + b;
  if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${Number.MAX_SAFE_INTEGER} samples but the shards have more`,
  );
}

/** Adds up the counts. @throws ERR_LIMIT above 2^53 - 1 */
export function totalOf({ counts }: Cells): number {
  return counts.reduce(exactSum, 0);
}
