/**
 * Every number that bounds a counter, a table or a launch, and the arithmetic on them. No other file
 * holds such a literal: kernels in other languages are generated from, or handed, these.
 */

// -- What a counter holds ---------------------------------------------------------------------------
/** Largest value of an 8-bit counter (TRISH, per-thread-64, privatized). */
export const U8_MAX = 255;
/** Largest value of a 16-bit counter (per-thread; TRISH's 16-bit pairs while rows are summed). */
export const U16_MAX = 65_535;
/** Largest value of a 32-bit counter: one partial of any kernel. */
export const U32_MAX = 4_294_967_295;
/** Bits of a software tag, the lane number signed into a per-warp counter (Podlozhnyuk, Listing 3). */
export const TAG_BITS = 5;
/** Largest count beside a software tag. */
export const TAGGED_MAX: number = 2 ** (32 - TAG_BITS) - 1;

// -- Words ------------------------------------------------------------------------------------------
/** Byte counters or byte samples in a 32-bit word. */
export const WORD_BYTES = 4;
/** Bytes that a GPU thread loads at once. */
export const VECTOR_BYTES = 16;
/** Values of a byte: the cells that raw 8-bit samples are counted into. */
export const BYTE_VALUES = 256;
/** Values of a 16-bit sample: the length of its lookup table. */
export const HALF_VALUES = 65_536;

// -- Shape of the papers' kernels ---------------------------------------------------------------------
/** Threads of a warp; also banks of shared memory, so replicas of per-lane. */
export const WARP_THREADS = 32;
/** Schedulers of a multiprocessor, among which its warps are dealt out. */
export const SCHEDULERS = 4;
/** Threads of a TRISH block (Brown & Snoeyink, section 5.1). */
export const TRISH_THREADS = 64;
/** Bins TRISH counts: 64 threads own four each. */
export const TRISH_BINS: number = TRISH_THREADS * WORD_BYTES;
/** Words a TRISH thread bins before a byte counter could pass 255: floor(255 / 4) = 63. */
export const TRISH_WORDS: number = Math.floor(U8_MAX / WORD_BYTES);
/** The authors' choice of words per loop (section 5.4). */
export const TRISH_K = 31;
/** Words that TRISH bins as one run of independent instructions (section 5.2). */
export const TRISH_BATCH = 4;
/** Threads of a per-warp block: six warps (Podlozhnyuk). */
export const PER_WARP_THREADS = 192;
/** Threads of a per-thread-64 block; a multiple of 64 frees the bank from the data (Podlozhnyuk). */
export const PER_THREAD_64_THREADS = 192;
/** Bins of per-thread-64, one byte counter each per thread. */
export const PER_THREAD_64_BINS = 64;
/** Threads of a per-thread block (Nugteren). */
export const PER_THREAD_THREADS = 32;
/** Threads of a privatized block, 64 rows by 64 columns (CUDA Handbook, Figure 6). */
export const PRIVATIZED_THREADS = 64;
/** Bins of a privatized block. */
export const PRIVATIZED_BINS: number = PRIVATIZED_THREADS * WORD_BYTES;
/** Threads of a per-block and of a global block. */
export const BLOCK_THREADS = 256;
/** Threads of a per-lane block. */
export const PER_LANE_THREADS = 1024;
/** 16-byte loads that a thread of per-lane has in flight; and from how many vectors a thread that pays. */
export const PER_LANE_IN_FLIGHT = 4;
export const PER_LANE_DEEP_FROM = 8;
/**
 * Few samples on a GPU: up to so many vectors, blocks of so many threads and replicas; a short kernel is over
 * sooner than a wide one has started.
 */
export const PER_LANE_FEW_VECTORS = 32_768;
export const PER_LANE_FEW_THREADS = 256;
export const PER_LANE_FEW_REPLICAS = 8;
/** Blocks up to which every thread has one vector; past them it has two before there are more blocks. */
export const PER_LANE_FEW_BLOCKS = 64;
/** Up to so many vectors a multiprocessor, one block each: more only add their tables up longer. */
export const PER_LANE_ONE_BLOCK_VECTORS = 16_384;
/** Words of a bank-owned tile: each of 32 threads reads each of 32 columns of 32 words. */
export const TILE_WORDS: number = WARP_THREADS * WARP_THREADS;

// -- Workers: a worker is a block of one thread, its tables lie in caches --------------------------------
/** Workers that share a table in per-warp. */
export const WORKER_GROUP = 2;
/** Counters of 16 bits that per-lane keeps for each of up to 256 cells: 8 KiB. */
export const WORKER_LANES = 16;
/** Counters of 32 bits for each cell, up to WORKER_NARROW_CELLS of them: 32 KiB, a first-level cache. */
export const WORKER_NARROW_LANES = 8;
export const WORKER_NARROW_CELLS = 1024;
/** Tables of 32-bit counters for more cells. */
export const WORKER_WIDE_LANES = 4;
/** Tables of per-lane over pairs of bytes, 256 KiB each, and the samples a worker from which they pay. */
export const WORKER_PAIR_LANES = 2;
export const WORKER_PAIRS_FROM = 1_048_576;
/** Bytes that a worker copies into its own memory at a time: a share of a second-level cache. */
export const WORKER_CHUNK_BYTES = 131_072;
/** Bytes of a worker's tables: four of 65,536 counters. */
export const WORKER_TABLE_BYTES: number = WORKER_WIDE_LANES * HALF_VALUES * 4;

// -- GPU: how samples reach a device and counts come back -------------------------------------------------
/** Bytes of host memory or of a file that are copied at a time: enough to hide a launch, little beside any memory. */
export const GPU_PIECE_BYTES = 33_554_432;
/** Codes of one channel that are written out at a time, for the algorithms that count codes. */
export const GPU_CODES = 67_108_864;
/** Room behind every allocation, which a load may touch. */
export const GPU_PADDING_BYTES = 32;

// -- Weighted sums (docs/weighted.md) ----------------------------------------------------------------------
/** Largest value of a signed 32-bit sum. */
export const S32_MAX = 2_147_483_647;
/**
 * Integer weights that one 32-bit sum adds at the most before it goes into a total: weights are scaled so that so many
 * of them cannot overflow it, whatever they are. More would cost each weight a bit, fewer flush more often.
 */
export const WEIGHT_ADDENDS = 2048;
/**
 * Bits of a limb: weights of plain samples are cut into such, and a table's into one or two. Any WEIGHT_ADDENDS of them
 * have a sum that 32 bits hold, and 2^33 of them one below 2^53.
 */
export const LIMB_BITS = 20;
/** Samples whose weights are cut and added up at a time: their limbs stay in a cache while one after the other is taken off. */
export const WEIGHED_SAMPLES = 262_144;
/** Rounding may lose so large a share of the sum of |weight|, and no more: a table's weights that lose more are refused. */
export const WEIGHT_LOSS: number = 2 ** -10;
/** What is left to the rounding of a sum of doubles, as a share of it: each of 2^32 additions rounds by 2^-53 at most. */
export const SUM_SLACK: number = 2 ** -20;
/** A number that becomes a 32-bit float moves by such a share of itself at most, or by half of the least float. */
export const F32_HALF_STEP: number = 2 ** -24;
export const F32_HALF_LEAST: number = 2 ** -150;
/** The exponent of the lowest bit that a double may have, and the least double with all its bits. */
export const F64_LOWEST_BIT = -1074;
export const F64_NORMAL_MIN: number = 2 ** -1022;
/** Up to so many bins, sums of 32 bits that are flushed cost less than sums of 64 bits in two words. */
export const WEIGHT_FLUSH_BINS = 512;
/** Float weights that one 32-bit float sum adds at the most before it goes into a total. */
export const FAST_ADDENDS = 16_384;
/** A sum of precision "fast" is at most so far off, in parts of the sum of |weight| that went into it. */
export const FAST_TOLERANCE: number = 2 ** -9;
/** Added and taken off again, it leaves a double below 2^51 rounded to the nearest integer, halves to the even one. */
export const ROUNDING: number = 3 * 2 ** 51;
/** Values of half a byte. */
export const NIBBLE_VALUES = 16;
/** Half bytes in a byte. */
export const BYTE_NIBBLES = 2;
/** Bins that a feature has at least. */
export const FEATURE_BINS_MIN = 2;
/** Documents of a table: their indices have 32 bits. */
export const MAX_DOCUMENTS: number = U32_MAX;
/** Segments of documents begin at a multiple of so many: 16 bytes of half bytes. */
export const SEGMENT_ALIGN: number = VECTOR_BYTES * BYTE_NIBBLES;
/** Rounds of blocks that segments may make at the most, to fill a device better than one does. */
export const SEGMENT_ROUNDS = 4;
/** The part of the places of all rounds that is enough. */
export const SEGMENT_FILL: number = 9 / 10;
/**
 * Documents that a worker adds up before its tables go into totals: long enough for the tables' way there not to matter,
 * and their weights stay in a second-level cache while one feature after the other uses them.
 */
export const WORKER_WEIGHTED_DOCUMENTS = 65_536;
/** A worker's cell is one word, so that a document costs one store: the count stands above the sum. */
export const WORKER_CELL_BYTES = 8;
/**
 * Bits of the sum in it. What is added between two flushes is below 2^36: 65,536 weights below 2^20, or, where a table
 * has fewer than WEIGHT_ADDENDS documents and so larger weights, all of them together below 2^31.
 */
export const WORKER_SUM_BITS = 40;
/** Features whose documents take turns in one loop of a worker: a weight is read once for them, and their chains overlap. */
export const WORKER_SIDE_BY_SIDE = 4;
/** Features that a worker adds up one after the other with the weights it has read once, and the bytes of their totals. */
export const WORKER_FEATURES = 16;
export const WORKER_TOTALS_BYTES = 1_048_576;
/**
 * Threads a block of weighted-fixed-point: few, so that each has registers for what is on its way; but as many as there
 * may be where a block has less shared memory than this and so few features, which take few registers.
 */
export const WEIGHTED_THREADS = 512;
export const WEIGHTED_SHARED_BYTES = 65_536;
/** Features that a block of weighted-fixed-point adds up side by side, so that it reads a weight once for all of them. */
export const FEATURES_PER_BLOCK = 6;
/** Documents that a thread of weighted-fixed-point takes at a time on a GPU, and how many times so many are on their way. */
export const WEIGHTED_UNIT = 8;
export const WEIGHTED_IN_FLIGHT = 2;
/** Rows, bins of its block's features, whose totals a thread of weighted-fixed-point keeps between two flushes. */
export const WEIGHTED_ROWS = 4;
/**
 * weighted-fixed-point with counts: the first word of a cell has the count in so many lower bits, and above them the sum
 * of what is left of each weight when it is shifted so far. What the shift takes off all of them, 2^14 * 2^18 at the most,
 * the second word tells, which has the sum's lower 32 bits: together a sum of 50 bits.
 */
export const COUNT_BITS = 14;
export const COUNT_SHIFT: number = 32 - COUNT_BITS;
/** Values, documents times features, of one launch on a GPU: a millisecond, after which it looks whether to stop. */
export const GPU_SUMS_VALUES: number = 2 ** 31;
/** Blocks of a launch on a GPU all the same, at least, so that it fills the device. */
export const GPU_SUMS_BLOCKS = 512;
/** Warps of a weighted-collision-free block, at most: 256 threads. */
export const COLLISION_FREE_WARPS = 8;
/** Bins up to which weighted-hybrid takes weighted-collision-free (Xu et al., Table 7). */
export const SMALL_BINS = 128;
/** Documents that a thread reads before it adds: one for every two bins, up to this many (Table 5). */
export const UNROLL = 16;
export const UNROLL_MAX = 32;
/** Bins from which a weighted-collision-free thread reads that many. */
export const UNROLL_BINS = 16;
/** Bins up to which each row of Table 6 holds; the last row holds beyond. */
export const TABLE_6_BINS_1 = 128;
export const TABLE_6_BINS_2 = 256;
export const TABLE_6_BINS_3 = 512;
/** Table 6: warps a block of weighted-collision, up to 512 bins and beyond. */
export const COLLISION_WARPS = 2;
export const COLLISION_WARPS_WIDE = 4;
/** Table 6: warps a block and units of a thread's buffer, of weighted-collision-reduced. */
export const REDUCED_WARPS_1 = 2;
export const REDUCED_WARPS_3 = 3;
export const REDUCED_WARPS_WIDE = 6;
export const REDUCED_BUFFER_1 = 10;
export const REDUCED_BUFFER_2 = 8;
export const REDUCED_BUFFER_3 = 5;
export const REDUCED_BUFFER_WIDE = 10;
/** Units that a thread's buffer may have; a unit's count then fits a byte, as Algorithm 2 masks it. */
export const BUFFER_MAX = 64;
/** Bits by which a buffer unit's value stands above its count (Figure 3). */
export const BUFFER_VALUE_SHIFT = 16;

// -- What may be asked for ----------------------------------------------------------------------------
/** Bins an axis may have. */
export const MAX_BINS = 65_536;
/** Channels interleaved in a pixel. */
export const MAX_CHANNELS = 4;
/** Threads that a backend may be asked for: more than any machine gains by. */
export const MAX_THREADS = 256;
/** Calls that an engine hands a device at a time, unless it wants another number; the others wait. */
export const CALLS_AT_ONCE = 16;
/** Calls that fork threads of their own at a time, while those are at most MAX_THREADS together. */
export const FORKS_AT_ONCE = 4;
/** Features of a table: each takes a kilobyte or two of this process's heap while weights are added up, whatever its bins. */
export const MAX_FEATURES = 1_048_576;
/** Bins of all features that weights are added up over in one call: 1 GiB of counts and as much of sums. */
export const MAX_SUMS_BINS = 134_217_728;
/** Largest number of samples whose counts stay exact integers in a double. */
export const MAX_SAMPLES: number = Number.MAX_SAFE_INTEGER;

// -- Sizes of work ------------------------------------------------------------------------------------
/** Samples that the references simulate at a time. */
export const REFERENCE_CHUNK = 65_536;
/** Bytes of samples that one step on a JavaScript thread counts before others may have their turn. */
export const STEP_BYTES = 1_048_576;
/** Bytes that a stream gathers before they are counted. */
export const STREAM_CHUNK = 8_388_608;
/** Cells of the first-guess table over variable edges. */
export const GUESS_CELLS = 2048;
/** Lowerings that an engine keeps for the next call over the same axis. */
export const KEPT_LOWERINGS = 8;
/** Prepared jobs that an engine keeps for each of them, for the next call of the same shape. */
export const KEPT_JOBS = 16;
/** Cells of the same on a GPU, where every lane has its own: twice the edges, within these. */
export const RANK_CELLS_MIN = 512;
export const RANK_CELLS_MAX = 4096;
/** How far off its place an edge may be, in cells; what is left to a half is for a device's rounding. */
export const RANK_SLACK: number = 1 / 8;
/** Widths whose inverse is taken in 32-bit floats without care for denormals: exponents of two. */
export const RANK_INVERSE_MIN: number = 2 ** -126;
export const RANK_INVERSE_MAX: number = 2 ** 100;
/** Rows of a table for what is in no bin: underflow, overflow, NaN. */
export const FLOW_ROWS = 3;
/** Thresholds that a search may look at past the last one. */
export const RANK_PADDING = 7;

/** Whole units of `per` that hold `n`. */
export function divideCeiling(n: number, per: number): number {
  return Math.ceil(n / per);
}

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

/** Largest value a counter of `bits` holds. */
export function counterMax(bits: 8 | 14 | 16 | 32): number {
  return 2 ** bits - 1;
}
