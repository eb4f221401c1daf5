import type { Algorithm } from "../plan/index.ts";

/**
 * Forks, counts and joins. Every thread counts a contiguous share into its own table, then the tables are added. The
 * real threads are in `@polybin/core/multithreaded`; this simulation runs them sequentially.
 */
export const algorithm: Algorithm = {
  slug: "multithreaded",
  title: "one table per thread over contiguous shares, added at the end",
  source: "The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms",
  parameters: {},
  forks: true,
  maxBins: null,
  launch: ({ cells }, { kind, units }) =>
    kind !== "gpu"
      ? {
          threads: units,
          blocks: 1,
          replicas: units,
          counterBits: 32,
          cellsPerPass: cells,
          sharedBytes: 0,
          wordsPerThread: null,
        }
      : "multithreaded runs on the threads of a CPU",
};
