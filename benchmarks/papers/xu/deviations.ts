import { clusteredRow } from "../../src/data/feature-rows.ts";

/** The features of Figure 10 and their number of bins and documents, as the suite makes them. */
const [BINS, DOCUMENTS] = [1024, 2 ** 17] as const;
const ZEROS = [0, 0.5, 0.9];
const RUNS = [1, 4, 16, 64, 256];

interface Deviation {
  /** Share of zeros and length of runs. */
  readonly name: string;
  /** Standard deviation of the values, in bins. */
  readonly sigma: number;
}

let known: readonly Deviation[] | undefined;

/** Computes the standard deviation of each feature's values. */
export function deviationsOf(): readonly Deviation[] {
  known ??= ZEROS.flatMap((zeros) =>
    RUNS.map((run) => {
      const { name, values } = clusteredRow(zeros, run, BINS, DOCUMENTS);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
      return { name, sigma: Math.sqrt(variance) };
    }),
  );
  return known;
}
