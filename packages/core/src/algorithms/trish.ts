import { WARP_THREADS, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { TRISH_WORDS } from "./lib/limits.ts";
import { notAtomic, partialTables, type Reduce, reduceRule } from "./lib/partials.ts";
import { blocksThatFill, tooLittleShared } from "./lib/shared.ts";

/** Threads of a TRISH block (Brown & Snoeyink, section 5.1). */
export const TRISH_THREADS = 64;

/** Bins that TRISH counts. Each of 64 threads owns four. */
export const TRISH_BINS: number = TRISH_THREADS * WORD_BYTES;

/** The authors' choice of words per loop (section 5.4). */
export const TRISH_K = 31;

/** Words that TRISH counts as one run of independent instructions (section 5.2). */
export const TRISH_BATCH = 4;

/** Schedulers of a multiprocessor, which share its warps. */
export const SCHEDULERS = 4;

const THREADS = TRISH_THREADS;

const SHARED_BYTES: number = THREADS * TRISH_BINS;

/**
 * With a multiple of this number of two-warp blocks, the four schedulers of a multiprocessor have the same number of
 * warps.
 */
const EVEN_BLOCKS: number = (SCHEDULERS * WARP_THREADS) / THREADS;

type Own = { readonly k: number; readonly rowSums: "pairs" | "singletons"; readonly reduce: Reduce };

/**
 * Threaded Register Independent Strided Histogram. It uses no atomics, and its time does not depend on the data.
 *
 *   shared memory, 16 KB:  word = [row = bin / 4][column = thread], four byte counters per word
 *   registers:             thread t keeps the block's counts of the bins 4t … 4t + 3
 *
 * In the Count kernel, each thread counts k words, then checks whether k more could exceed 255. If so, the block sums
 * its rows. Thread t sums row t, starting at column t and wrapping around, so that no two threads use the same bank.
 * Each block writes its histogram, and the BlockSum kernel adds them.
 */
export const algorithm: Algorithm<Own> = {
  slug: "trish",
  title: "byte counters per thread, summed in 16-bit pairs before they can overflow",
  source: "Brown & Snoeyink 2012, sections 5.1 to 5.5, Figure 5",
  parameters: {
    k: {
      title: "words that a thread counts before it checks whether the rows must be summed",
      default: TRISH_K,
      least: 1,
      most: TRISH_WORDS,
    },
    rowSums: {
      title: "whether a row sum adds a word's counters as two pairs of 16 bits or one by one (section 5.3)",
      default: "pairs",
      of: ["pairs", "singletons"],
    },
    reduce: reduceRule("tables"),
  },
  maxBins: TRISH_BINS,
  launch({ samples, parameters: { reduce } }, limits) {
    const refused = limits.kind === "workers" ? notAtomic("trish", reduce) : null;
    if (refused !== null) return refused;
    if (limits.sharedBytes < SHARED_BYTES) return tooLittleShared("trish", SHARED_BYTES, limits);
    const shape = {
      blocks: blocksThatFill(THREADS, SHARED_BYTES, samples, limits, EVEN_BLOCKS),
      cellsPerPass: TRISH_BINS,
    };
    return {
      ...shape,
      ...(limits.kind !== "workers" && partialTables(reduce, shape, limits)),
      threads: THREADS,
      replicas: THREADS,
      counterBits: 8,
      sharedBytes: SHARED_BYTES,
      wordsPerThread: TRISH_WORDS,
    };
  },
};
