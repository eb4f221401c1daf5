import { noSums } from "../weighted/bin-sums.ts";
import type { WeightedAlgorithm, WeightedInput } from "../weighted/plan.ts";

/** One table, one document after the other. Every other weighted algorithm must equal it. */
export const weightedSequential: WeightedAlgorithm = {
  slug: "weighted-sequential",
  title: "one table, one document after the other",
  source: "Xu et al., Algorithm 1: Serial Histogram Calculation",
  parameters: {},
  launch: ({ bins }, { kind }) =>
    kind === "cpu"
      ? {
          threads: 1,
          replicas: 1,
          featuresPerBlock: 1,
          counterBits: 32,
          sumBits: 64,
          binsPerPass: bins,
          sharedBytes: 0,
          flushDocuments: null,
        }
      : "weighted-sequential runs on one CPU thread: it is the oracle, in core",
  reference: ({ values, weights, squares, bins, skip }: WeightedInput) => {
    const totals = noSums(bins, squares !== null);
    const { counts, sums } = totals;
    for (let i = 0; i < values.length; i++) {
      const bin = values[i]!;
      if (bin === skip) continue;
      counts[bin] = counts[bin]! + 1;
      // A double holds every sum of integer weights exactly, and of float weights far closer than the tolerance.
      sums[bin] = sums[bin]! + weights[i]!;
      if (squares !== null) totals.squares![bin] = totals.squares![bin]! + squares[i]!;
    }
    return totals;
  },
};
