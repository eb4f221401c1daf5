import { U16_MAX, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { notAtomic, partialTables, type Reduce, reduceRule } from "./lib/partials.ts";
import { blocksThatFill, cellsThatFit, tooLittleShared } from "./lib/shared.ts";

/** Threads of a per-thread block (Nugteren). */
export const PER_THREAD_THREADS = 32;

/** 16-bit counters per word. */
const PER_WORD = 2;

type Own = { readonly reduce: Reduce };

/**
 * Counts one histogram per thread, with two 16-bit counters per word. On workers, it is one table per worker.
 *
 *   words:  row = bin / 2, column = thread (= bank);   word = [ bin 2r+1 | bin 2r ]
 */
export const algorithm: Algorithm<Own> = {
  slug: "per-thread",
  title: "one histogram per thread, two 16-bit counters per word",
  source: "Nugteren et al. 2011, as described by Brown & Snoeyink 2012, section 4.2",
  parameters: { reduce: reduceRule("tables") },
  preferred: { workers: 2 },
  maxBins: null,
  launch({ cells, samples, parameters: { reduce } }, limits) {
    if (limits.kind === "workers") {
      const refused = notAtomic("per-thread", reduce);
      if (refused !== null) return refused;
      return {
        threads: 1,
        blocks: limits.units,
        replicas: 1,
        counterBits: 32,
        cellsPerPass: cells,
        sharedBytes: cells * Uint32Array.BYTES_PER_ELEMENT,
        wordsPerThread: null,
      };
    }
    const rowBytes = PER_THREAD_THREADS * Uint32Array.BYTES_PER_ELEMENT;
    const rows = cellsThatFit(Math.ceil(cells / PER_WORD), rowBytes, limits);
    if (rows === 0) return tooLittleShared("per-thread", rowBytes, limits);
    const shape = {
      blocks: blocksThatFill(PER_THREAD_THREADS, rows * rowBytes, samples, limits),
      cellsPerPass: Math.min(cells, rows * PER_WORD),
    };
    return {
      ...shape,
      ...partialTables(reduce, shape, limits),
      threads: PER_THREAD_THREADS,
      replicas: PER_THREAD_THREADS,
      counterBits: 16,
      sharedBytes: rows * rowBytes,
      wordsPerThread: Math.floor(U16_MAX / WORD_BYTES),
    };
  },
};
