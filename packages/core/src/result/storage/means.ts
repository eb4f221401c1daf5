import type { Rows, Storage } from "./storage.ts";

/**
 * Sums of weights, sums of their squares, and the mean and variance of a quantity, as other writers store them. Writers
 * define the variance differently, so the means of two results cannot be combined.
 */
export const MEANS: Storage = {
  main: 0,
  sum: [],
  difference: [],
  check: () => {},
  write([sums, squares, means, variances]: Rows, writer) {
    const counts = writer.nested("sums", sums!);
    const rows = {
      values: writer.nestedOrNull("means", means!),
      variances: writer.nestedOrNull("variances", variances!),
    };
    if (!squares) return { storage: { type: "mean", counts, ...rows }, notes: {} };
    const sum_of_weights_squared = writer.nested("sumsOfSquares", squares);
    const storage = {
      type: "weighted_mean",
      sum_of_weights: counts,
      sum_of_weights_squared,
      ...rows,
    } as const;
    return { storage, notes: {} };
  },
};
