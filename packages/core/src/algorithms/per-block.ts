import type { Algorithm } from "../plan/index.ts";
import { PackedCounters } from "./lib/counters.ts";
import { BLOCK_THREADS } from "./lib/limits.ts";
import {
  blocksThatFill,
  cellsThatFit,
  eachCode,
  gridWords,
  inPasses,
  notOnWorkers,
  tooLittleShared,
} from "./lib/shared.ts";

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
  reference(codes, { threads, blocks, cellsPerPass }, cells) {
    return inPasses(codes, cells, cellsPerPass, (window, count) => {
      const out = new Float64Array(count);
      for (let block = 0; block < blocks; block++) {
        const table = new PackedCounters(32, count);
        for (let thread = 0; thread < threads; thread++) {
          for (const word of gridWords(window.length, threads, blocks, block, thread)) {
            eachCode(window, word, count, (code) => table.increment(code, 0));
          }
        }
        for (let cell = 0; cell < count; cell++) out[cell]! += table.words[cell]!;
      }
      return out;
    });
  },
};
