/** The most columns that are drawn. More bins are added up in groups. */
const MOST_COLUMNS = 256;

/** How the bins of a histogram become the columns of its plot. */
export interface Columns {
  /** Number of columns. */
  readonly count: number;
  /** Bins per column. The last column may have fewer. */
  readonly each: number;
}

/** Distributes bins evenly over at most 256 columns. */
export function columnsFor(bins: number): Columns {
  const each = Math.max(1, Math.ceil(bins / MOST_COLUMNS));
  return { count: Math.ceil(bins / each), each };
}

/** The counts of the columns: the sums of their bins. */
export function heightsOf(counts: ArrayLike<number>, { count, each }: Columns): Float64Array {
  const sums = new Float64Array(count);
  for (let bin = 0; bin < counts.length; bin++) sums[Math.floor(bin / each)]! += counts[bin]!;
  return sums;
}

/** The bins of a column, both included. */
export function binsOf(
  column: number,
  { each }: Columns,
  bins: number,
): readonly [first: number, last: number] {
  return [column * each, Math.min(bins, (column + 1) * each) - 1];
}

/** The number of samples in bins, both ends included. It is the height of their column. */
export function sumOf(counts: ArrayLike<number>, [first, last]: readonly [number, number]): number {
  let sum = 0;
  for (let bin = first; bin <= last; bin++) sum += counts[bin]!;
  return sum;
}
