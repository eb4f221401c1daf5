import { WARP_THREADS, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { blocksThatFill, cellsThatFit, notOnWorkers, tooLittleShared } from "./lib/shared.ts";

/** Words of a bank-owned tile. Each of 32 threads reads each of 32 columns of 32 words. */
export const TILE_WORDS: number = WARP_THREADS * WARP_THREADS;

const THREADS = WARP_THREADS;

const TILE_BYTES: number = TILE_WORDS * WORD_BYTES;

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Counts one histogram per block without atomics. Thread t counts only the bins of bank t. To find them, it reads
 * every word of a tile in shared memory.
 *
 *   tile:       word = [row][column], 32 columns; in cycle i thread t reads column (i + t) mod 32
 *   histogram:  bin b lies in bank b mod 32 and belongs to thread b mod 32
 */
export const algorithm: Algorithm = {
  slug: "bank-owned",
  title: "each thread counts only its bank's bins and reads the whole tile",
  source: "Hardavellas, Histograms: Is there an alternative?",
  parameters: {},
  maxBins: null,
  launch({ cells, samples }, limits) {
    if (limits.kind === "workers") return notOnWorkers("bank-owned", "workers have no banks");
    const left = { ...limits, sharedBytes: limits.sharedBytes - TILE_BYTES };
    const cellsPerPass = cellsThatFit(cells, CELL_BYTES, left);
    if (cellsPerPass < 1) return tooLittleShared("bank-owned", TILE_BYTES + CELL_BYTES, limits);
    const sharedBytes = TILE_BYTES + cellsPerPass * CELL_BYTES;
    return {
      threads: THREADS,
      blocks: blocksThatFill(THREADS, sharedBytes, samples, limits),
      replicas: 1,
      counterBits: 32,
      cellsPerPass,
      sharedBytes,
      wordsPerThread: null,
    };
  },
};
