import { divideCeiling, WORD_BYTES } from "../base/index.ts";
import type { Algorithm, Launch } from "../plan/index.ts";
import { PackedCounters, PairSums } from "./lib/counters.ts";
import { TRISH_WORDS } from "./lib/limits.ts";
import { blocksThatFill, eachCode, gridWords, notOnWorkers, tooLittleShared } from "./lib/shared.ts";

/** Threads of a privatized block, 64 rows by 64 columns (CUDA Handbook, Figure 6). */
export const PRIVATIZED_THREADS = 64;
/** Bins of a privatized block. */
export const PRIVATIZED_BINS: number = PRIVATIZED_THREADS * WORD_BYTES;

const THREADS = PRIVATIZED_THREADS;
const SHARED_BYTES: number = THREADS * PRIVATIZED_BINS;

type Own = {
  readonly merge: "periodic" | "avoid";
  readonly layout: "row" | "column" | "interleaved";
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
  },
  maxBins: PRIVATIZED_BINS,
  launch({ samples, parameters: { merge } }, limits) {
    if (limits.kind === "workers")
      return notOnWorkers("privatized", "workers have trish, with the same counters");
    if (limits.sharedBytes < SHARED_BYTES) return tooLittleShared("privatized", SHARED_BYTES, limits);
    return {
      threads: THREADS,
      blocks:
        merge === "avoid"
          ? Math.max(1, divideCeiling(samples, THREADS * TRISH_WORDS * WORD_BYTES))
          : blocksThatFill(THREADS, SHARED_BYTES, samples, limits),
      replicas: THREADS,
      counterBits: 8,
      cellsPerPass: PRIVATIZED_BINS,
      sharedBytes: SHARED_BYTES,
      wordsPerThread: TRISH_WORDS,
    };
  },
  reference(codes, launch, cells) {
    const out = new Float64Array(PRIVATIZED_BINS);
    for (let block = 0; block < launch.blocks; block++) countBlock(codes, launch, cells, block, out);
    return out.slice(0, cells);
  },
};

/** Returns the place of a thread's counter of a bin, as a word and a byte in it. */
function place(layout: Own["layout"], bin: number, thread: number): readonly [word: number, byte: number] {
  if (layout === "interleaved") return [Math.floor(bin / WORD_BYTES) * THREADS + thread, bin % WORD_BYTES];
  const byte = layout === "row" ? thread * PRIVATIZED_BINS + bin : bin * THREADS + thread;
  return [Math.floor(byte / WORD_BYTES), byte % WORD_BYTES];
}

function countBlock(
  codes: Uint32Array,
  launch: Launch<Own>,
  cells: number,
  block: number,
  out: Float64Array,
): void {
  const { blocks, wordsPerThread } = launch;
  const { merge, layout } = launch.parameters;
  let counters = new PackedCounters(8, SHARED_BYTES / WORD_BYTES);
  const columns = Array.from({ length: THREADS }, (_, thread) =>
    gridWords(codes.length, THREADS, blocks, block, thread),
  );
  // Threads advance step by step, because a merge clears the counters of all of them.
  for (let step = 1, on = true; on; step++) {
    on = false;
    for (let thread = 0; thread < THREADS; thread++) {
      const next = columns[thread]!.next();
      if (next.done) continue;
      on = true;
      eachCode(codes, next.value, cells, (code) => counters.increment(...place(layout, code, thread)));
    }
    if (merge === "periodic" && step % wordsPerThread! === 0) {
      mergeBlock(counters, layout, out);
      counters = new PackedCounters(8, counters.words.length);
    }
  }
  mergeBlock(counters, layout, out);
}

/** Listing 7: thread t sums bin quad t over all threads' columns, starting at a column of its own. */
function mergeBlock(counters: PackedCounters, layout: Own["layout"], out: Float64Array): void {
  for (let thread = 0; thread < THREADS; thread++) {
    const pairs = new PairSums();
    for (let i = 0; i < THREADS; i++) {
      const column = (i + thread) % THREADS;
      pairs.add(quad(counters, layout, thread, column));
    }
    for (let slot = 0; slot < WORD_BYTES; slot++) out[thread * WORD_BYTES + slot]! += pairs.sums[slot]!;
  }
}

/** Returns the counters of four neighboring bins of one thread as a word, for any layout. */
function quad(counters: PackedCounters, layout: Own["layout"], row: number, thread: number): number {
  let word = 0;
  for (let slot = 0; slot < WORD_BYTES; slot++) {
    word |= counters.get(...place(layout, row * WORD_BYTES + slot, thread)) << (slot * 8);
  }
  return word;
}
