import { WARP_THREADS, WORD_BYTES } from "../base/index.ts";
import type { Algorithm, Launch } from "../plan/index.ts";
import { PackedCounters, PairSums } from "./lib/counters.ts";
import { TRISH_WORDS, trishLoops } from "./lib/limits.ts";
import { blocksThatFill, eachCode, tooLittleShared } from "./lib/shared.ts";

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
  reference(codes, launch, cells) {
    const blocks = Array.from({ length: launch.blocks }, (_, block) =>
      countBlock(codes, launch, cells, block),
    );
    return blockSum(blocks).slice(0, cells);
  },
};

/** The Count kernel (Figure 5) of one block: its histogram of 256 bins. */
function countBlock(
  codes: Uint32Array,
  { blocks, parameters: { k } }: Launch<Own>,
  cells: number,
  block: number,
): Float64Array {
  const registers = new Float64Array(TRISH_BINS);
  let shared = new PackedCounters(8, SHARED_BYTES / WORD_BYTES);
  const words = Math.ceil(codes.length / WORD_BYTES);
  const stride = THREADS * k * blocks;
  let loops = 0;
  for (let first = block * THREADS * k; first < words; first += stride) {
    if (loops === trishLoops(k)) {
      accumulate(shared, registers);
      shared = new PackedCounters(8, shared.words.length);
      loops = 0;
    }
    for (let i = 0; i < k; i++) {
      for (let thread = 0; thread < THREADS; thread++) {
        const word = first + i * THREADS + thread;
        eachCode(codes, word, cells, (code) =>
          shared.increment(Math.floor(code / WORD_BYTES) * THREADS + thread, code % WORD_BYTES),
        );
      }
    }
    loops++;
  }
  accumulate(shared, registers);
  return registers;
}

/** The row sums: staggered start, circular indexing (Figure 3), pairs of 16 bits (section 5.3). */
function accumulate(shared: PackedCounters, registers: Float64Array): void {
  for (let thread = 0; thread < THREADS; thread++) {
    const pairs = new PairSums();
    for (let i = 0, column = thread; i < THREADS; i++, column = (column + 1) % THREADS) {
      pairs.add(shared.words[thread * THREADS + column]!);
    }
    for (let slot = 0; slot < WORD_BYTES; slot++) registers[thread * WORD_BYTES + slot]! += pairs.sums[slot]!;
  }
}

/** The BlockSum kernel: the sum of the blocks' histograms. */
function blockSum(blocks: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(TRISH_BINS);
  for (const block of blocks) for (let bin = 0; bin < TRISH_BINS; bin++) out[bin]! += block[bin]!;
  return out;
}
