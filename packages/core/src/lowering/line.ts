/**
 * Ascending thresholds that are spaced evenly enough for one multiplication to guess the nearest of them. One comparison
 * with that threshold then decides, so the result is exact whatever was rounded.
 *
 *   cell = |value - middle| <= reach ? (value - from) * scale, rounded down : 0
 *   row  = cell + (value >= starts[cell])
 *
 *   row    0               1          2, 3                 4 …
 *          NaN, far below  far above  below thresholds[0]  from thresholds[0] on …
 *
 * No step needs a branch, so the time does not depend on the samples.
 */
export interface Line {
  /** from, scale, middle, reach. In an array of doubles they are doubles even if they are whole. */
  readonly numbers: Float64Array;
  /** The threshold of each row that a guess can give. Rows without one have NaN, which no value reaches. */
  readonly starts: Float64Array;
}

/** Row of the values right below the first threshold. */
export const ROW_BELOW = 3;

/** Returns the line of thresholds, or null if a guess is not the threshold's own row. */
export function lineOf(thresholds: Float64Array): Line | null {
  const [first, last, count] = [thresholds[0]!, thresholds.at(-1)!, thresholds.length];
  const numbers = lineThrough(first, last, count > 1 ? (count - 1) / (last - first) : 1, ROW_BELOW);
  if (numbers === null || cellOf(numbers, last) !== count - 1 + ROW_BELOW) return null;
  if (!thresholds.every((threshold, k) => cellOf(numbers, threshold) === k + ROW_BELOW)) return null;
  return { numbers, starts: startsOf(thresholds) };
}

/** Returns the thresholds by row. Values without a guess are above the first one or below it. */
export function startsOf(thresholds: Float64Array): Float64Array {
  const starts = new Float64Array(thresholds.length + ROW_BELOW + 1).fill(Number.NaN);
  starts[0] = thresholds[0]!;
  starts.set(thresholds, ROW_BELOW);
  return starts;
}

/**
 * Returns the numbers of a line on which `first` lies in the middle of cell `before`. Null: rounding could lead a value
 * within reach to a cell before `before` - 1, or past the cell after that of `last`.
 */
export function lineThrough(first: number, last: number, scale: number, before: number): Float64Array | null {
  const from = first - (before + 0.5) / scale;
  const middle = first + (last - first) / 2;
  const reach = (last - first) / 2 + 0.25 / scale;
  const numbers = Float64Array.of(from, scale, middle, reach);
  const isWithin = (value: number): boolean => Math.abs(value - middle) <= reach;
  // The guess never falls as values rise, so all values within reach have cells between those of these two. Near the
  // largest double a distance may overflow.
  const [below, above] = [middle - reach - 0.25 / scale, middle + reach + 0.25 / scale];
  const isSafe =
    isWithin(first) &&
    isWithin(last) &&
    !isWithin(below) &&
    !isWithin(above) &&
    Number.isFinite(cellOf(numbers, above)) &&
    cellOf(numbers, below) >= before - 1 &&
    cellOf(numbers, above) <= cellOf(numbers, last) + 1;
  return isSafe ? numbers : null;
}

/** Returns the cell of a value within reach. */
export function cellOf(numbers: Float64Array, value: number): number {
  return Math.trunc((value - numbers[0]!) * numbers[1]!);
}
