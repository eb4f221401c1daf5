import { WARP_THREADS, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { TRISH_WORDS } from "./lib/limits.ts";
import { blocksThatFill, tooLittleShared } from "./lib/shared.ts";

/** Threads of a TRISH block (Brown & Snoeyink, section 5.1). */
export const TRISH_THREADS = 64;

/** Bins TRISH counts: 64 threads own four each. */
export const TRISH_BINS: number = TRISH_THREADS * WORD_BYTES;

/** The authors' choice of words per loop (section 5.4). */
export const TRISH_K = 31;

/** Words that TRISH bins as one run of independent instructions (section 5.2). */
export const TRISH_BATCH = 4;

/** Schedulers of a multiprocessor, among which its warps are dealt out. */
export const SCHEDULERS = 4;

const THREADS = TRISH_THREADS;

const SHARED_BYTES: number = THREADS * TRISH_BINS;

/** A multiprocessor's four schedulers have as many warps each with a multiple of two blocks of two. */
const EVEN_BLOCKS: number = (SCHEDULERS * WARP_THREADS) / THREADS;

type Own = { readonly k: number };

/**
 * Threaded Register Independent Strided Histogram: no atomics, and no time that depends on the data.
 *
 *   shared memory, 16 KB:  word = [row = bin / 4][column = thread], four byte counters a word
 *   registers:             thread t keeps the block's counts of the bins 4t … 4t + 3
 *
 * Count: each thread bins k words, looks whether k more could pass 255, and if so the block sums its
 * rows: thread t row t, from column t on and round, so that no two threads meet in a bank. BlockSum adds
 * the blocks' histograms.
 */
export const algorithm: Algorithm<Own> = {
  slug: "trish",
  title: "byte counters a thread, summed in 16-bit pairs before they can overflow",
  source: "Brown & Snoeyink 2012, sections 5.1 to 5.5, Figure 5",
  parameters: {
    k: {
      title: "words that a thread bins before it looks whether its rows must be summed",
      default: TRISH_K,
      least: 1,
      most: TRISH_WORDS,
    },
  },
  maxBins: TRISH_BINS,
  launch({ samples }, limits) {
    if (limits.sharedBytes < SHARED_BYTES) return tooLittleShared("trish", SHARED_BYTES, limits);
    return {
      threads: THREADS,
      blocks: blocksThatFill(THREADS, SHARED_BYTES, samples, limits, EVEN_BLOCKS),
      replicas: THREADS,
      counterBits: 8,
      cellsPerPass: TRISH_BINS,
      sharedBytes: SHARED_BYTES,
      wordsPerThread: TRISH_WORDS,
    };
  },
};
