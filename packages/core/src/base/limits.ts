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

// -- Workers: a worker is a block of one thread, its tables lie in caches --------------------------------

// -- GPU: how samples reach a device and counts come back -------------------------------------------------
/** Bytes of host memory or of a file that are copied at a time: enough to hide a launch, little beside any memory. */
export const GPU_PIECE_BYTES = 33_554_432;
/** Codes of one channel that are written out at a time, for the algorithms that count codes. */
export const GPU_CODES = 67_108_864;
/** Room behind every allocation, which a load may touch. */
export const GPU_PADDING_BYTES = 32;

// -- Weighted sums (docs/weighted.md) ----------------------------------------------------------------------

/** Values, documents times features, of one launch on a GPU: a millisecond, after which it looks whether to stop. */
export const GPU_SUMS_VALUES: number = 2 ** 31;
/** Blocks of a launch on a GPU all the same, at least, so that it fills the device. */
export const GPU_SUMS_BLOCKS = 512;

// -- What may be asked for ----------------------------------------------------------------------------

/** Threads that a backend may be asked for: more than any machine gains by. */
export const MAX_THREADS = 256;

/** Largest number of samples whose counts stay exact integers in a double. */
export const MAX_SAMPLES: number = Number.MAX_SAFE_INTEGER;

// -- Sizes of work ------------------------------------------------------------------------------------
/** Samples that the references simulate at a time. */
export const REFERENCE_CHUNK = 65_536;
/** Bytes of samples that one step on a JavaScript thread counts before others may have their turn. */
export const STEP_BYTES = 1_048_576;

/** Rows of a table for what is in no bin: underflow, overflow, NaN. */
export const FLOW_ROWS = 3;

/** Whole units of `per` that hold `n`. */
export function divideCeiling(n: number, per: number): number {
  return Math.ceil(n / per);
}

/** Largest value a counter of `bits` holds. */
export function counterMax(bits: 8 | 14 | 16 | 32): number {
  return 2 ** bits - 1;
}
