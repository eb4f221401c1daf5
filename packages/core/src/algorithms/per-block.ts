import type { Algorithm } from "../plan/index.ts";
import { BLOCK_THREADS } from "./lib/limits.ts";
import { blocksThatFill, cellsThatFit, notOnWorkers, tooLittleShared } from "./lib/shared.ts";

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Counts one histogram per block in shared memory with atomics, then adds it to the histogram in global memory. */
export const algorithm: Algorithm = {
  slug: "per-block",
  title: "one histogram per block, updated with atomics in shared memory",
  source: "The CUDA Handbook, histogram chapter: Per-Block Histograms; Hardavellas, Algorithm Overview",
  parameters: {},
  maxBins: null,
  launch({ cells, samples }, limits) {
    if (limits.kind === "workers")
      return notOnWorkers("per-block", "workers have per-warp, one table per group of workers");
    const cellsPerPass = cellsThatFit(cells, CELL_BYTES, limits);
    if (cellsPerPass === 0) return tooLittleShared("per-block", CELL_BYTES, limits);
    const threads = Math.min(BLOCK_THREADS, limits.blockThreads);
    return {
      threads,
      blocks: blocksThatFill(threads, cellsPerPass * CELL_BYTES, samples, limits),
      replicas: 1,
      counterBits: 32,
      cellsPerPass,
      sharedBytes: cellsPerPass * CELL_BYTES,
      wordsPerThread: null,
    };
  },
};
