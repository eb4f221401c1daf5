/**
 * Ascending thresholds that are spaced evenly enough for one multiplication to guess the nearest of them. One comparison
 * with that threshold then decides, so the result is exact whatever was rounded.
 *
 *   cell = |value - middle| <= reach ? (value - from) * scale, rounded down : 0
 *   row  = cell + (value >= starts[cell])
 *
 *   row    0               1                2, 3                 4 …                      thresholds + 3
 *          NaN, far below  far above        below thresholds[0]  from thresholds[0] on …  from the last one on
 *
 * No step needs a branch, so the time does not depend on the samples.
 */
export interface Line {
  /** from, scale, middle, reach. In an array of doubles they are doubles even if they are whole. */
  readonly numbers: Float64Array;
  /** The threshold of each cell. Cells without one have NaN, which no value reaches. */
  readonly starts: Float64Array;
}

/** Cells before that of the first threshold. */
const BEFORE = 3;

/** Returns the line of thresholds, or null if a guess is not the threshold's own cell. */
export function lineOf(thresholds: Float64Array): Line | null {
  const count = thresholds.length;
  const [first, last] = [thresholds[0]!, thresholds[count - 1]!];
  const scale = count > 1 ? (count - 1) / (last - first) : 1;
  const from = first - (BEFORE + 0.5) / scale;
  const middle = first + (last - first) / 2;
  const reach = (last - first) / 2 + 0.25 / scale;
  const cellOf = (value: number): number => Math.trunc((value - from) * scale);
  for (let k = 0; k < count; k++) {
    if (cellOf(thresholds[k]!) !== k + BEFORE || !(Math.abs(thresholds[k]! - middle) <= reach)) return null;
  }
  // The guess never falls as values rise. So no value within reach has a cell outside those of these two.
  const [below, above] = [middle - reach - 0.25 / scale, middle + reach + 0.25 / scale];
  const isBeyond = Math.abs(below - middle) > reach && Math.abs(above - middle) > reach;
  if (!isBeyond || !(cellOf(below) >= BEFORE - 1) || !(cellOf(above) <= count + BEFORE)) return null;
  const starts = new Float64Array(count + BEFORE + 1).fill(Number.NaN);
  // Values out of reach are above the middle or below it.
  starts[0] = middle;
  starts.set(thresholds, BEFORE);
  return { numbers: Float64Array.of(from, scale, middle, reach), starts };
}
