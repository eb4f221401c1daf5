import { divideCeiling, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { TRISH_WORDS } from "./lib/limits.ts";
import { partialTables, type Reduce, reduceRule } from "./lib/partials.ts";
import { blocksThatFill, notOnWorkers, tooLittleShared } from "./lib/shared.ts";

/** Threads of a privatized block, 64 rows by 64 columns (CUDA Handbook, Figure 6). */
export const PRIVATIZED_THREADS = 64;

/** Bins of a privatized block. */
export const PRIVATIZED_BINS: number = PRIVATIZED_THREADS * WORD_BYTES;

const THREADS = PRIVATIZED_THREADS;

const SHARED_BYTES: number = THREADS * PRIVATIZED_BINS;

type Own = {
  readonly merge: "periodic" | "avoid";
  readonly layout: "row" | "column" | "interleaved";
  readonly reduce: Reduce;
};

/**
 * Keeps one byte counter for each of 256 bins and each of 64 threads, 16 KB per block.
 *
 *   interleaved   word = [bin/4][thread], the four bins of a quad in a word    (Figure 6)
 *   row           byte = [thread][bin], one histogram per row                  (Figure 4)
 *   column        byte = [bin][thread], one bin per row                        (Figure 5)
 *
 * A thread may count 63 words. `periodic` then merges and clears the block's counters. `avoid` launches enough blocks
 * that no thread counts more.
 */
export const algorithm: Algorithm<Own> = {
  slug: "privatized",
  title: "packed byte counters per thread, merged periodically or never full",
  source: "The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms, Listings 5 to 8",
  parameters: {
    merge: {
      title: "merge periodically, or launch enough blocks that no counter can overflow",
      default: "periodic",
      of: ["periodic", "avoid"],
    },
    layout: {
      title: "layout of a thread's counters (CUDA Handbook, Figures 4 to 6)",
      default: "interleaved",
      of: ["row", "column", "interleaved"],
    },
    // Listing 7 adds with 256 atomics per merge.
    reduce: reduceRule("atomic"),
  },
  maxBins: PRIVATIZED_BINS,
  launch({ samples, parameters: { merge, reduce } }, limits) {
    if (limits.kind === "workers")
      return notOnWorkers("privatized", "workers have trish, with the same counters");
    if (limits.sharedBytes < SHARED_BYTES) return tooLittleShared("privatized", SHARED_BYTES, limits);
    const blocks =
      merge === "avoid"
        ? Math.max(1, divideCeiling(samples, THREADS * TRISH_WORDS * WORD_BYTES))
        : blocksThatFill(THREADS, SHARED_BYTES, samples, limits);
    return {
      threads: THREADS,
      blocks,
      ...partialTables(reduce, { blocks, cellsPerPass: PRIVATIZED_BINS }, limits),
      replicas: THREADS,
      counterBits: 8,
      cellsPerPass: PRIVATIZED_BINS,
      sharedBytes: SHARED_BYTES,
      wordsPerThread: TRISH_WORDS,
    };
  },
};
