import type { Bounded, Counted } from "../cells.ts";
import { firstLargest } from "../moments.ts";
import { cumulated, trimmed } from "./trimmed.ts";

/**
 * Returns Otsu's threshold: the one with the largest variance between the samples up to it and those above it. It equals
 * scikit-image's `threshold_otsu(hist=(counts, centers))` bit by bit. Samples above the threshold are the foreground.
 *
 * `value` is the center of the last bin of the background. `low` and `high` are the smallest and the largest value that
 * this bin can hold. If only one bin holds samples, it is the threshold. Samples outside the bins take no part.
 *
 * Source: N. Otsu, "A threshold selection method from gray-level histograms", IEEE Transactions on Systems, Man, and
 * Cybernetics 9 (1), 1979.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_INPUT if all bins are empty.
 */
export function otsu(histogram: Counted): Bounded {
  const { counts, centers, at } = trimmed(histogram);
  const moments = counts.map((count, i) => count * centers[i]!);
  const below = cumulated(counts);
  const above = cumulated(counts.toReversed()).reverse();
  const momentsBelow = cumulated(moments);
  const momentsAbove = cumulated(moments.toReversed()).reverse();
  const between = counts.subarray(1).map((_, i) => {
    const apart = momentsBelow[i]! / below[i]! - momentsAbove[i + 1]! / above[i + 1]!;
    return below[i]! * above[i + 1]! * (apart * apart);
  });
  return at(firstLargest(between));
}
