import { U8_MAX, WORD_BYTES } from "../../base/index.ts";
/** Words that a TRISH thread counts before a byte counter could exceed 255: floor(255 / 4) = 63. */
export const TRISH_WORDS: number = Math.floor(U8_MAX / WORD_BYTES);
/**
 * Returns how often TRISH's main loop may run before the rows must be summed, for k words per loop, by the efficiency
 * formula of section 5.4. (The test in Figure 5, `overflow >= 63 - k`, would sum one loop too early.)
 */
export function trishLoops(k: number): number {
  return Math.floor(TRISH_WORDS / k);
}
/** RowSum efficiency of Figure 4: words counted per accumulation, relative to the maximum. */
export function rowSumEfficiency(k: number): number {
  return (trishLoops(k) * k) / TRISH_WORDS;
}
/** Threads per block of per-block and of global. */
export const BLOCK_THREADS = 256;
/** Threads per block of per-lane. */
export const PER_LANE_THREADS = 1024;
/** 16-bit counters that per-lane keeps for each of up to 256 cells: 8 KiB. */
export const WORKER_LANES = 16;
export const WORKER_NARROW_CELLS = 1024;
/** 32-bit counters for each of up to WORKER_NARROW_CELLS cells: 32 KiB, which fits a first-level cache. */
export const WORKER_NARROW_LANES = 8;
/** Tables of 32-bit counters for more cells. */
export const WORKER_WIDE_LANES = 4;
/** Maximum number of float weights that one 32-bit float sum adds before it is flushed into a total. */
export const FAST_ADDENDS = 16_384;
/**
 * Layout of a cell in weighted-fixed-point with counts. The lower COUNT_BITS bits of the first word hold the count.
 * The bits above hold the sum of the weights shifted right by COUNT_SHIFT. The second word holds the lower 32 bits of
 * the full sum, which recover what the shift removed, at most 2^14 * 2^18. Together they form a 50-bit sum.
 */
export const COUNT_BITS = 14;
export const COUNT_SHIFT: number = 32 - COUNT_BITS;
/**
 * Documents that a worker adds before it flushes its tables into totals. The number is large enough that flushing
 * costs little, and small enough that the weights stay in a second-level cache while the features use them in
 * sequence.
 */
export const WORKER_WEIGHTED_DOCUMENTS = 65_536;
/** Size of a worker's cell, one word with the count above the sum, so that a document costs one store. */
export const WORKER_CELL_BYTES = 8;
/** Features that a worker adds up with weights that it reads once, and the maximum size of their totals in bytes. */
export const WORKER_FEATURES = 16;
export const WORKER_TOTALS_BYTES = 1_048_576;
/** Documents that a GPU thread of weighted-fixed-point takes at a time, and the number of such batches in flight. */
export const WEIGHTED_UNIT = 8;
export const WEIGHTED_IN_FLIGHT = 2;
/** Rows (bins of its block's features) whose totals a thread of weighted-fixed-point keeps between two flushes. */
export const WEIGHTED_ROWS = 4;
/** Maximum number of bins for which `auto` prefers weighted-collision-free for floats (Xu et al., Table 7). */
export const SMALL_BINS = 128;
export const UNROLL_MAX = 32;
export const TABLE_6_BINS_3 = 512;
/** Maximum number of threads per block of per-segment, and the samples of a segment that justify one thread. */
export const SEGMENT_THREADS = 512;
export const SEGMENT_THREAD_SAMPLES = 16;
/**
 * Up to this mean number of samples, a warp counts a segment in one table of words, which is cheap to clear and add
 * up.
 */
export const SEGMENT_SHORT_SAMPLES = 512;
/** Up to this mean number of bytes, a warp counts a segment in byte counters. A block counts longer ones. */
export const SEGMENT_WARP_SAMPLES = 16_384;
/**
 * Warps of a block that count segments in parallel. Four blocks of seven tables fill an H200's shared memory: 28
 * warps.
 */
export const SEGMENT_WARPS = 7;
/**
 * Warps of a block that share a segment's byte counters. Through Vulkan, an H200 gives the blocks of a multiprocessor
 * about 50 KiB together, so several warps must share a table to hide their latency.
 */
export const SEGMENT_TABLE_WARPS = 4;
/** Words of four bytes that a thread loads ahead while its table is added up: four loads of 16 bytes. */
export const SEGMENT_AHEAD_WORDS = 16;
/**
 * Words of four bytes that a lane counts before its byte counters are added up. These are 15 loads of 16 bytes. With
 * one more byte before the first load or after the last, the count is at most 241, and a counter holds 255.
 */
export const SEGMENT_FOLD_WORDS = 60;
/** Samples of a segment per counter that justify clearing and adding up another copy of its table. */
export const SEGMENT_TABLE_SAMPLES = 2;
/** Samples of a segment that justify starting another block and adding its table to the row. */
export const SEGMENT_BLOCK_SAMPLES = 65_536;
/**
 * Blocks per block that the device runs at once. If segments differ in length, some blocks finish earlier than
 * others.
 */
export const SEGMENT_WAVES = 4;
/** Segments that a warp processes in sequence if there are many. */
export const SEGMENT_TURNS = 4;
/** Tables of 16-bit counters of a worker's segment of up to 256 cells: 4 KiB, cleared and added up for each segment. */
export const SEGMENT_LANES = 8;
