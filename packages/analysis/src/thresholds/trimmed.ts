import { type Bounded, boundsOf, type Counted, countsOf, middle } from "../cells.ts";
import { AnalysisError } from "../error.ts";

/** The bins from the first to the last that is not empty, as scikit-image trims a histogram. */
export interface Trimmed {
  readonly counts: Float64Array;
  readonly centers: Float64Array;
  /** Returns a bin as a threshold: its center, and the smallest and the largest value that it can hold. */
  readonly at: (bin: number) => Bounded;
}

/**
 * Checks and trims a histogram. Samples outside its bins take no part in a threshold.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_INPUT if all bins are empty.
 */
export function trimmed(histogram: Counted): Trimmed {
  const all = countsOf(histogram);
  const bounds = boundsOf(histogram);
  const first = all.findIndex((count) => count > 0);
  if (first < 0) {
    throw new AnalysisError(
      "ERR_INPUT",
      "expected samples in the bins for a threshold but received empty bins",
    );
  }
  const end = all.findLastIndex((count) => count > 0) + 1;
  const counts = all.slice(first, end);
  const [lows, highs] = [bounds.lows.subarray(first, end), bounds.highs.subarray(first, end)];
  const centers = lows.map((low, i) => middle(low, highs[i]!));
  return { counts, centers, at: (bin) => ({ value: centers[bin]!, low: lows[bin]!, high: highs[bin]! }) };
}

/** Cumulated sums, each rounded to a double, as `numpy.cumsum`. */
export function cumulated(values: ArrayLike<number>): Float64Array {
  let sum = 0;
  return Float64Array.from(values, (value) => {
    sum += value;
    return sum;
  });
}

/** Cumulated sums, each rounded to single precision, as `numpy.cumsum` of float32. */
export function cumulatedF32(values: ArrayLike<number>): Float32Array {
  let sum = 0;
  return Float32Array.from(values, (value) => {
    sum = Math.fround(sum + value);
    return sum;
  });
}
