import type { Bounded, Counted } from "../cells.ts";
import { sumOf } from "../cells.ts";
import { firstLargest } from "../moments.ts";
import { cumulatedF32, trimmed } from "./trimmed.ts";

/**
 * Returns Yen's threshold, which maximizes the entropic correlation of the two classes. It equals scikit-image's
 * `threshold_yen(hist=(counts, centers))`, whose single precision it shares. Samples above the threshold are the
 * foreground. `value`, `low` and `high` mean the same as for `otsu`. Samples outside the bins take no part.
 *
 * Source: J. C. Yen, F. J. Chang, S. Chang, "A new criterion for automatic multilevel thresholding", IEEE Transactions
 * on Image Processing 4 (3), 1995.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_INPUT if all bins are empty.
 */
export function yen(histogram: Counted): Bounded {
  const f32 = Math.fround;
  const { counts, at } = trimmed(histogram);
  if (counts.length === 1) return at(0);
  const total = f32(sumOf(counts, (count) => count));
  const shares = Float32Array.from(counts, (count) => f32(count) / total);
  const squares = shares.map((share) => share * share);
  const below = cumulatedF32(shares);
  const squaresBelow = cumulatedF32(squares);
  const squaresAbove = cumulatedF32(squares.toReversed()).reverse();
  const criterion = new Float32Array(counts.length - 1);
  for (let i = 0; i < criterion.length; i++) {
    const inverse = f32(1 / f32(squaresBelow[i]! * squaresAbove[i + 1]!));
    const product = f32(below[i]! * f32(1 - below[i]!));
    criterion[i] = Math.log(f32(inverse * f32(product * product)));
  }
  return at(firstLargest(criterion));
}
