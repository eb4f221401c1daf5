import { divideCeiling } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { PackedCounters } from "./lib/counters.ts";

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
  reference(codes, { threads }, cells) {
    const out = new Float64Array(cells);
    const share = divideCeiling(codes.length, threads);
    for (let thread = 0; thread < threads; thread++) {
      const table = new PackedCounters(32, cells);
      for (const code of codes.subarray(thread * share, (thread + 1) * share)) {
        if (code < cells) table.increment(code, 0);
      }
      for (let cell = 0; cell < cells; cell++) out[cell]! += table.words[cell]!;
    }
    return out;
  },
};
