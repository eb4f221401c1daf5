import { divideCeiling, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { TRISH_WORDS } from "./lib/limits.ts";
import { partialTables, type Reduce, reduceRule } from "./lib/partials.ts";
import { notOnWorkers, tooLittleShared } from "./lib/shared.ts";

/** Threads of a per-thread-64 block, at most (Podlozhnyuk). */
export const PER_THREAD_64_THREADS = 192;

/** Bins of per-thread-64, with one byte counter each per thread. */
export const PER_THREAD_64_BINS = 64;

type Own = { readonly reduce: Reduce };

/** The numbers of per-thread-64's kernels. */
export type SwizzledBanks = {
  /** Banks of shared memory. */
  readonly banks: number;
};

/**
 * Keeps one byte counter for each of 64 bins and each thread.
 *
 *   bytes:  row = bin, column = swizzled thread;   bank of a column = column / 4 modulo the banks
 *
 * A row is a multiple of the banks' words, so the bank does not depend on the bin. A block's threads exchange the bits
 * of their number, so that as many neighbours as there are banks use separate words: for 16 banks, as in the paper,
 * the bits [5:4] and [3:0]; for 32 banks, [6:5] and [4:0].
 */
export const algorithm: Algorithm<Own> = {
  slug: "per-thread-64",
  title: "one byte counter per thread and bin, up to 64 bins",
  source: "Podlozhnyuk 2009, Implementation of oclHistogram64, Figures 1 and 2",
  parameters: { reduce: reduceRule("tables") },
  maxBins: PER_THREAD_64_BINS,
  launch({ cells, samples, parameters: { reduce } }, limits) {
    if (limits.kind === "workers") return notOnWorkers("per-thread-64", "workers have per-thread");
    const { banks, blockThreads, sharedBytes } = limits;
    const group = WORD_BYTES * banks;
    const most = Math.min(PER_THREAD_64_THREADS, blockThreads, Math.floor(sharedBytes / cells));
    const threads = most - (most % group);
    if (threads === 0) return tooLittleShared("per-thread-64", cells * group, limits);
    // The number of blocks keeps every thread within the range of a byte counter.
    const blocks = Math.max(1, divideCeiling(samples, threads * TRISH_WORDS * WORD_BYTES));
    return {
      threads,
      blocks,
      ...partialTables(reduce, { blocks, cellsPerPass: cells }, limits),
      replicas: threads,
      counterBits: 8,
      cellsPerPass: cells,
      sharedBytes: cells * threads,
      wordsPerThread: TRISH_WORDS,
      own: { banks } satisfies SwizzledBanks,
    };
  },
};
