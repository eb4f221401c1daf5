import type { Bounded, Counted } from "../cells.ts";
import { AnalysisError, checkedWhole, checkOptions } from "../error.ts";
import { trimmed } from "./trimmed.ts";

/** Options of `minimum`. */
export interface MinimumOptions {
  /** The largest number of times that the histogram is smoothed. Default: 10,000. */
  readonly iterations?: number;
}

/**
 * Returns the minimum threshold: the lowest point between two peaks, after the histogram was smoothed until only two are
 * left. It equals scikit-image's `threshold_minimum(hist=(counts, centers))`. Samples above the threshold are the
 * foreground. `value`, `low` and `high` mean the same as for `otsu`. Samples outside the bins take no part.
 *
 * Source: J. M. S. Prewitt, M. L. Mendelsohn, "The analysis of cell images", Annals of the New York Academy of Sciences
 * 128, 1966.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_INPUT if all bins are empty, or if smoothing does not lead to
 * two peaks.
 */
export function minimum(histogram: Counted, options: MinimumOptions = {}): Bounded {
  checkOptions(options, ["iterations"]);
  const iterations = checkedWhole(options.iterations ?? 10_000, "iterations", 1);
  const { counts, at } = trimmed(histogram);
  let [smooth, spare] = [counts.slice(), new Float64Array(counts.length)];
  let peaks: readonly number[] = [];
  let done = 0;
  do {
    smoothInto(spare, smooth);
    [smooth, spare] = [spare, smooth];
    peaks = peaksOf(smooth);
    done += 1;
  } while (peaks.length > 2 && done < iterations);
  if (peaks.length !== 2 || done === iterations) {
    throw new AnalysisError(
      "ERR_INPUT",
      `expected a histogram with two peaks for the minimum threshold but found ` +
        `${peaks.length > 2 ? "more" : peaks.length} after ${done} smoothings`,
    );
  }
  const [left, right] = [peaks[0]!, peaks[1]!];
  let lowest = left;
  for (let bin = left; bin <= right; bin++) if (smooth[bin]! < smooth[lowest]!) lowest = bin;
  return at(lowest);
}

/** The mean of each bin and its two neighbours, as a running sum like SciPy's `uniform_filter1d(counts, 3)`. */
function smoothInto(out: Float64Array, counts: Float64Array): void {
  const last = counts.length - 1;
  let sum = counts[0]! + counts[0]! + counts[Math.min(1, last)]!;
  out[0] = sum / 3;
  for (let i = 1; i <= last; i++) {
    sum += counts[i < last ? i + 1 : last]! - counts[i > 2 ? i - 2 : 0]!;
    out[i] = sum / 3;
  }
}

/** The ends of the first three ascents. A plateau counts as its last bin. */
function peaksOf(counts: Float64Array): number[] {
  const peaks: number[] = [];
  let rises = true;
  for (let i = 0; i < counts.length - 1 && peaks.length < 3; i++) {
    const step = counts[i + 1]! - counts[i]!;
    if (rises && step < 0) peaks.push(i);
    if (step !== 0 && rises !== step > 0) rises = !rises;
  }
  return peaks;
}
