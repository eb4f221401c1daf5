import type { Bounded, Counted } from "../cells.ts";
import { AnalysisError } from "../error.ts";
import { cumulated, cumulatedF32, trimmed } from "./trimmed.ts";

/**
 * Returns the ISODATA threshold: the lowest one that lies, within the width of a bin, below the middle of the means of its
 * two classes. It equals scikit-image's `threshold_isodata(hist=(counts, centers))`, whose single precision it shares.
 * Samples above the threshold are the foreground. `value`, `low` and `high` mean the same as for `otsu`. Samples outside
 * the bins take no part.
 *
 * Source: T. W. Ridler, S. Calvard, "Picture thresholding using an iterative selection method", IEEE Transactions on
 * Systems, Man, and Cybernetics 8, 1978.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_INPUT if all bins are empty, or if no bin is such a threshold.
 */
export function isodata(histogram: Counted): Bounded {
  const { counts, centers, at } = trimmed(histogram);
  const last = counts.length - 1;
  if (last === 0) return at(0);
  const single = Float32Array.from(counts);
  const below = cumulatedF32(single);
  const moments = cumulated(centers.map((center, i) => single[i]! * center));
  const width = centers[1]! - centers[0]!;
  for (let i = 0; i < last; i++) {
    const lower = moments[i]! / below[i]!;
    const higher = (moments[last]! - moments[i]!) / Math.fround(below[last]! - below[i]!);
    const distance = (lower + higher) / 2 - centers[i]!;
    if (distance >= 0 && distance < width) return at(i);
  }
  throw new AnalysisError("ERR_INPUT", "expected a histogram with an ISODATA threshold but no bin is one");
}
