import { type Bounded, type Counted, checkUnweighted } from "../cells.ts";
import { firstLargest } from "../moments.ts";
import { trimmed } from "./trimmed.ts";

/**
 * Returns the triangle threshold: the bin that is farthest from the line between the peak and the end of the longer tail.
 * It equals scikit-image's `threshold_triangle` of a picture with these counts. Samples above the threshold are the
 * foreground. `value`, `low` and `high` mean the same as for `otsu`. Samples outside the bins take no part.
 *
 * Source: G. W. Zack, W. E. Rogers, S. A. Latt, "Automatic measurement of sister chromatid exchange frequency", Journal of
 * Histochemistry and Cytochemistry 25 (7), 1977.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_INPUT if all bins are empty. ERR_UNSUPPORTED for sums
 * of weights, because scikit-image defines it for pictures only.
 */
export function triangle(histogram: Counted): Bounded {
  const { counts, at } = trimmed(histogram);
  checkUnweighted(histogram, "histogram");
  const last = counts.length - 1;
  const top = firstLargest(counts);
  // The longer tail is on the left after the flip.
  const isFlipped = top < last - top;
  const heights = isFlipped ? counts.toReversed() : counts;
  const width = isFlipped ? last - top : top;
  const peak = counts[top]!;
  const norm = Math.sqrt(exactSquares(peak, width));
  const [rise, run] = [peak / norm, width / norm];
  const distances = heights.slice(0, width).map((height, x) => rise * x - run * height);
  const level = width === 0 ? 0 : firstLargest(distances);
  return at(isFlipped ? last - level : level);
}

/** a² + b², rounded once, as NumPy's 64-bit integers give it. */
function exactSquares(a: number, b: number): number {
  return Number.isInteger(a) ? Number(BigInt(a) ** 2n + BigInt(b) ** 2n) : a * a + b * b;
}
