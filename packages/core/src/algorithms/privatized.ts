import { divideCeiling, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { TRISH_WORDS } from "./lib/limits.ts";
import { partialTables, type Reduce, reduceRule } from "./lib/partials.ts";
import { blocksThatFill, notOnWorkers, tooLittleShared } from "./lib/shared.ts";

/** Threads of a privatized block, 64 rows by 64 columns (CUDA Handbook, Figure 6). */
export const PRIVATIZED_THREADS = 64;

/** Bins of a privatized block. */
export const PRIVATIZED_BINS: number = PRIVATIZED_THREADS * WORD_BYTES;

/** Count at which a checked byte counter overflows: its top bit, so that one mask shows it (merge: check). */
export const PRIVATIZED_SPILL = 128;

const THREADS = PRIVATIZED_THREADS;

const COUNTER_BYTES: number = THREADS * PRIVATIZED_BINS;

/** The block's histogram of 32-bit counters, into which `check-shared` spills. */
const SPILL_BYTES: number = PRIVATIZED_BINS * WORD_BYTES;

type Own = {
  readonly merge: "periodic" | "avoid" | "check-shared" | "check-global";
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
 * that no thread counts more. `check-shared` and `check-global` test every counter after its increment. A counter that
 * reaches 128 returns to 0, and an atomic adds 128 to the block's or to the final histogram.
 */
export const algorithm: Algorithm<Own> = {
  slug: "privatized",
  title: "packed byte counters per thread, merged before they overflow or checked",
  source: "The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms, Listings 5 to 8",
  parameters: {
    merge: {
      title:
        "merge periodically, launch enough blocks that no counter can overflow, or check every increment and spill into " +
        "shared or global memory",
      default: "periodic",
      of: ["periodic", "avoid", "check-shared", "check-global"],
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
    const sharedBytes = COUNTER_BYTES + (merge === "check-shared" ? SPILL_BYTES : 0);
    if (limits.sharedBytes < sharedBytes) return tooLittleShared("privatized", sharedBytes, limits);
    const blocks =
      merge === "avoid"
        ? Math.max(1, divideCeiling(samples, THREADS * TRISH_WORDS * WORD_BYTES))
        : blocksThatFill(THREADS, sharedBytes, samples, limits);
    return {
      threads: THREADS,
      blocks,
      ...partialTables(reduce, { blocks, cellsPerPass: PRIVATIZED_BINS }, limits),
      replicas: THREADS,
      counterBits: 8,
      cellsPerPass: PRIVATIZED_BINS,
      sharedBytes,
      wordsPerThread: merge === "periodic" || merge === "avoid" ? TRISH_WORDS : null,
    };
  },
};
