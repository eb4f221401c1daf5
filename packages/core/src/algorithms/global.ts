import type { Algorithm } from "../plan/index.ts";
import { BLOCK_THREADS } from "./lib/limits.ts";
import { blocksThatFill } from "./lib/shared.ts";

/** Counts one histogram in global memory, which every thread of the grid updates with atomics. */
export const algorithm: Algorithm = {
  slug: "global",
  title: "one histogram in global memory, updated with atomics",
  source: "The CUDA Handbook, histogram chapter: One Global Histogram—and Contention",
  parameters: {},
  preferred: { gpu: 3 },
  maxBins: null,
  launch({ cells, samples }, limits) {
    const threads = limits.kind === "workers" ? 1 : Math.min(BLOCK_THREADS, limits.blockThreads);
    return {
      threads,
      blocks: blocksThatFill(threads, 0, samples, limits),
      replicas: 1,
      counterBits: 32,
      cellsPerPass: cells,
      sharedBytes: 0,
      wordsPerThread: null,
    };
  },
};
