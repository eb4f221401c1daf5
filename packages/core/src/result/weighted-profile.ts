import { PolybinError } from "../base/index.ts";
import type { Cells } from "./cells.ts";
import { MEANS } from "./storage/means.ts";

/**
 * Returns the mean and the variance of the weights in each cell of sums. The variance is divided by the count less one,
 * as in boost-histogram's `Mean` storage. Rounding moves it by up to 2^-51 of the mean of the squares.
 * @throws ERR_INPUT unless counts and sums of squares are known.
 */
export function meansOf({ axes, types, extents, rows: [counts, sums, squares], masked }: Cells): Cells {
  if (!counts || !squares) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected counts and sums of squares for the profile but they are not known: weigh with squares: true",
    );
  }
  const means = sums!.map((sum, i) => sum / counts[i]!);
  const variances = squares.map((square, i) => {
    const count = counts[i]!;
    return count < 2 ? Number.NaN : Math.max(0, square - sums![i]! * means[i]!) / (count - 1);
  });
  return {
    axes,
    types,
    extents,
    storage: MEANS,
    rows: [counts, null, means, variances],
    masked,
    carried: null,
  };
}
