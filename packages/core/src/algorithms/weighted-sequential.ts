import type { WeightedAlgorithm } from "../plan/index.ts";

/** Adds into one table, one document after the other. Every other weighted algorithm must return the same sums. */
export const algorithm: WeightedAlgorithm = {
  slug: "weighted-sequential",
  title: "one table, one document at a time",
  source: "Xu et al., Algorithm 1: Serial Histogram Calculation",
  parameters: {},
  plain: true,
  preference: (_, kind) => (kind === "cpu" ? 1 : null),
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
      : "weighted-sequential runs on one CPU thread, as core's oracle",
};
