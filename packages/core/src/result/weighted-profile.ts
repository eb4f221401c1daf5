import { PolybinError } from "../base/index.ts";

/** Mean and variance of the weights in each bin. */
export interface Profile {
  /** Number of samples in each bin. */
  readonly counts: Float64Array;
  /** Their mean; NaN without samples. */
  readonly means: Float64Array;
  /** Their variance, divided by the count less one as in boost-histogram's `Mean` storage; NaN below two samples. */
  readonly variances: Float64Array;
}

/** Sums of weights over bins. */
interface Sums {
  readonly counts: Float64Array | null;
  readonly sums: Float64Array;
  readonly sumsOfSquares: Float64Array | null;
}

/**
 * Computes means and variances. Rounding moves a variance by up to 2^-51 of the mean of the squares.
 * @throws ERR_INPUT unless counts and sums of squares are known.
 */
export function profileOf({ counts, sums, sumsOfSquares }: Sums): Profile {
  if (counts === null || sumsOfSquares === null) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected counts and sums of squares for the profile but they are not known: weigh with squares: true",
    );
  }
  const means = sums.map((sum, i) => sum / counts[i]!);
  const variances = sumsOfSquares.map((squares, i) => {
    const count = counts[i]!;
    return count < 2 ? Number.NaN : Math.max(0, squares - sums[i]! * means[i]!) / (count - 1);
  });
  return { counts, means, variances };
}
