import { U8_MAX, WORD_BYTES } from "../../base/index.ts";
/** Words a TRISH thread bins before a byte counter could pass 255: floor(255 / 4) = 63. */
export const TRISH_WORDS: number = Math.floor(U8_MAX / WORD_BYTES);
/**
 * Times TRISH's main loop may run before the rows must be summed, for k words a loop: the efficiency
 * formula of section 5.4. (Figure 5's test, `overflow >= 63 - k`, would sum a loop too early.)
 */
export function trishLoops(k: number): number {
  return Math.floor(TRISH_WORDS / k);
}
/** RowSum efficiency of Figure 4: words binned per accumulation over the most there could be. */
export function rowSumEfficiency(k: number): number {
  return (trishLoops(k) * k) / TRISH_WORDS;
}
/** Threads of a per-block and of a global block. */
export const BLOCK_THREADS = 256;
/** Threads of a per-lane block. */
export const PER_LANE_THREADS = 1024;
/** Counters of 16 bits that per-lane keeps for each of up to 256 cells: 8 KiB. */
export const WORKER_LANES = 16;
export const WORKER_NARROW_CELLS = 1024;
/** Counters of 32 bits for each cell, up to WORKER_NARROW_CELLS of them: 32 KiB, a first-level cache. */
export const WORKER_NARROW_LANES = 8;
/** Tables of 32-bit counters for more cells. */
export const WORKER_WIDE_LANES = 4;
/** Float weights that one 32-bit float sum adds at the most before it goes into a total. */
export const FAST_ADDENDS = 16_384;
/**
 * weighted-fixed-point with counts: the first word of a cell has the count in so many lower bits, and above them the sum
 * of what is left of each weight when it is shifted so far. What the shift takes off all of them, 2^14 * 2^18 at the most,
 * the second word tells, which has the sum's lower 32 bits: together a sum of 50 bits.
 */
export const COUNT_BITS = 14;
export const COUNT_SHIFT: number = 32 - COUNT_BITS;
/**
 * Documents that a worker adds up before its tables go into totals: long enough for the tables' way there not to matter,
 * and their weights stay in a second-level cache while one feature after the other uses them.
 */
export const WORKER_WEIGHTED_DOCUMENTS = 65_536;
/** A worker's cell is one word, so that a document costs one store: the count stands above the sum. */
export const WORKER_CELL_BYTES = 8;
/** Features that a worker adds up one after the other with the weights it has read once, and the bytes of their totals. */
export const WORKER_FEATURES = 16;
export const WORKER_TOTALS_BYTES = 1_048_576;
/** Documents that a thread of weighted-fixed-point takes at a time on a GPU, and how many times so many are on their way. */
export const WEIGHTED_UNIT = 8;
export const WEIGHTED_IN_FLIGHT = 2;
/** Rows, bins of its block's features, whose totals a thread of weighted-fixed-point keeps between two flushes. */
export const WEIGHTED_ROWS = 4;
/** Bins up to which weighted-hybrid takes weighted-collision-free (Xu et al., Table 7). */
export const SMALL_BINS = 128;
export const UNROLL_MAX = 32;
export const TABLE_6_BINS_3 = 512;
/** Threads of a per-segment block, at most, and samples of a segment that one of them is worth its while for. */
export const SEGMENT_THREADS = 512;
export const SEGMENT_THREAD_SAMPLES = 16;
/** Samples, on average, up to which a segment is a warp's that counts in one table of words: little to clear and add up. */
export const SEGMENT_SHORT_SAMPLES = 512;
/** Bytes, on average, up to which a segment is a warp's that counts in byte counters; longer ones are a block's. */
export const SEGMENT_WARP_SAMPLES = 16_384;
/** Warps of a block that count segments side by side: four blocks of seven tables fill an H200's shared memory, 28 warps. */
export const SEGMENT_WARPS = 7;
/**
 * Words of four bytes that a lane counts before its byte counters are added up: 15 loads of 16 bytes, and beside them a
 * byte that is before the first load or behind the last: 241, and a counter holds 255.
 */
export const SEGMENT_FOLD_WORDS = 60;
/** Samples of a segment for each counter of a copy of its table that is worth clearing and adding up. */
export const SEGMENT_TABLE_SAMPLES = 2;
/** Samples of a segment from which another block is worth its start and its table's way into the row. */
export const SEGMENT_BLOCK_SAMPLES = 65_536;
/** Blocks for each that the device runs at once: where segments differ, one block's turns end sooner than another's. */
export const SEGMENT_WAVES = 4;
/** Segments that a warp takes one after the other where there are many. */
export const SEGMENT_TURNS = 4;
/** Tables of 16-bit counters that a worker's segment of up to 256 cells has: 4 KiB, cleared and added up for each. */
export const SEGMENT_LANES = 8;
