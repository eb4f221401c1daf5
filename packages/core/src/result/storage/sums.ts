import { exactDifference, exactSum, finiteDifference, finiteSum, notNegativeDifference } from "../combine.ts";
import { checkExact } from "./counts.ts";
import type { Rows, Storage } from "./storage.ts";

/** Counts, sums of weights and sums of their squares. Counts and squares may not be known. */
export const SUMS: Storage = {
  main: 1,
  sum: [exactSum, finiteSum, finiteSum],
  difference: [exactDifference, finiteDifference, notNegativeDifference],
  check([counts, ...sums]) {
    if (counts) checkExact(counts);
    for (const row of sums) for (const sum of row ?? []) finiteSum(sum, 0);
  },
  write([counts, sums, squares]: Rows, writer) {
    const values = writer.nested("sums", sums!);
    const notes = {
      weighted: true,
      cells: writer.outside("sums", sums!),
      // The schema allows only scalars here.
      counts: counts?.join(" "),
    };
    if (!squares) return { storage: { type: "double", values }, notes };
    const variances = writer.nested("sumsOfSquares", squares);
    const cellsOfSquares = writer.outside("sumsOfSquares", squares);
    return { storage: { type: "weighted", values, variances }, notes: { ...notes, cellsOfSquares } };
  },
};
