import type { Algorithm } from "../plan/index.ts";

/**
 * Fork, privatize, join: every thread counts a contiguous share into its own table, then the tables are
 * added. The real threads are in `@polybin/core/multithreaded`; here they run one after the other.
 */
export const algorithm: Algorithm = {
  slug: "multithreaded",
  title: "a table a thread over contiguous shares, added at the end",
  source: "The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms",
  parameters: {},
  forks: true,
  maxBins: null,
  launch: ({ cells }, { kind, units }) =>
    kind === "cpu"
      ? {
          threads: units,
          blocks: 1,
          replicas: units,
          counterBits: 32,
          cellsPerPass: cells,
          sharedBytes: 0,
          wordsPerThread: null,
        }
      : "multithreaded runs on the threads of core's CPU backend",
};
