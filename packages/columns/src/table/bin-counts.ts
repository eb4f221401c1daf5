import type { Axis } from "@polybin/core";

/** Counts over an axis. */
export interface BinCounts {
  readonly axis: Axis;
  /** The edges that samples of the values' type are compared with. */
  readonly edges: Float64Array;
  readonly counts: Float64Array;
  underflow: number;
  overflow: number;
  nan: number;
}

/**
 * Adds values to the bins that an engine counts them in, over any axis but a category and a circular one. Comparing a bigint
 * with a double is exact.
 * @param counts how often each value occurs. Null: once
 */
export function addToBins(
  to: BinCounts,
  values: ArrayLike<number> | ArrayLike<bigint>,
  counts: ArrayLike<number> | null,
): void {
  const { axis, edges } = to;
  // Samples of booleans are bytes. All but 0 are true.
  const isBoolean = axis.type === "boolean";
  const isClosed = (axis.type === "regular" || axis.type === "variable") && axis.closed !== false;
  const [first, last] = [edges[0]!, edges[axis.bins]!];
  const perWidth = axis.bins / (last - first);
  // In the narrowest ranges the quotient overflows, so no bin can be guessed by it.
  const canGuess = (axis.type === "regular" || axis.type === "integer") && perWidth < Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = isBoolean ? Number(values[i] !== 0 && values[i] !== 0n) : values[i]!;
    const count = counts === null ? 1 : counts[i]!;
    if (value < first) to.underflow += count;
    else if (value > last || (value >= last && !isClosed)) to.overflow += count;
    else if (value >= first) {
      const bin = canGuess
        ? near(edges, value, (Number(value) - first) * perWidth)
        : lastAtMost(edges, value);
      to.counts[bin]! += count;
    } else to.nan += count;
  }
}

/** The last bin whose lower edge is not above the value, found from a guess. */
function near(edges: Float64Array, value: number | bigint, guess: number): number {
  let bin = Math.min(Math.trunc(guess), edges.length - 2);
  while (edges[bin]! > value) bin--;
  while (bin < edges.length - 2 && edges[bin + 1]! <= value) bin++;
  return bin;
}

/** The same for edges at any distances. */
function lastAtMost(edges: Float64Array, value: number | bigint): number {
  let [from, to] = [0, edges.length - 1];
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= value) from = middle;
    else to = middle;
  }
  return from;
}
