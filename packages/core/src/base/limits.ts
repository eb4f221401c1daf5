/**
 * The numbers that bound counters, tables and launches in every room, and the arithmetic on them. Kernels in other
 * languages are generated from these values or receive them.
 */

// -- Counters ---------------------------------------------------------------------------------------
/** Largest value of an 8-bit counter (TRISH, per-thread-64, privatized). */
export const U8_MAX = 255;
/** Largest value of a 16-bit counter (per-thread, and TRISH's 16-bit pairs while it sums rows). */
export const U16_MAX = 65_535;
/** Largest value of a 32-bit counter, and so of one partial count of any kernel. */
export const U32_MAX = 4_294_967_295;

// -- Words ------------------------------------------------------------------------------------------
/** Byte counters or byte samples per 32-bit word. */
export const WORD_BYTES = 4;
/** Bytes that a GPU thread loads at once. */
export const VECTOR_BYTES = 16;
/** Number of values of a byte. Raw 8-bit samples are counted into this number of cells. */
export const BYTE_VALUES = 256;
/** Number of values of a 16-bit sample, and so the length of its lookup table. */
export const HALF_VALUES = 65_536;

// -- Shape of the papers' kernels ---------------------------------------------------------------------
/** Threads per warp. This is also the number of shared-memory banks, and so the number of replicas in per-lane. */
export const WARP_THREADS = 32;

// -- GPU: how samples reach a device and counts come back -------------------------------------------
/**
 * Bytes of host memory or of a file that are copied at a time. This hides the cost of a launch and uses little
 * memory.
 */
export const GPU_PIECE_BYTES = 33_554_432;
/** Codes of one channel that are written at a time, for the algorithms that count codes. */
export const GPU_CODES = 67_108_864;
/** Bytes of padding after every allocation, which a vector load may touch. */
export const GPU_PADDING_BYTES = 32;

// -- Weighted sums (docs/internals/weighted-sums.md) ---------------------------------------------------------------

/**
 * Values (documents times features) per launch on a GPU. They take about a millisecond, after which the device checks
 * for an abort.
 */
export const GPU_SUMS_VALUES: number = 2 ** 31;
/** Minimum number of blocks of a launch on a GPU, even if the limit above asks for fewer. It keeps the device busy. */
export const GPU_SUMS_BLOCKS = 512;

// -- What a caller may request ----------------------------------------------------------------------

/** Maximum number of threads that a backend accepts. No machine gains from more. */
export const MAX_THREADS = 256;

/** Largest number of samples whose counts stay exact integers in a double. */
export const MAX_SAMPLES: number = Number.MAX_SAFE_INTEGER;

// -- Sizes of work ------------------------------------------------------------------------------------
/** Samples that the references simulate at a time. */
export const REFERENCE_CHUNK = 65_536;
/** Bytes of samples that one step on a JavaScript thread counts before other work gets the thread. */
export const STEP_BYTES = 1_048_576;

/** Rows of a table for samples outside all bins: underflow, overflow and NaN. */
export const FLOW_ROWS = 3;

/** Returns `n / per`, rounded up. */
export function divideCeiling(n: number, per: number): number {
  return Math.ceil(n / per);
}

/** Returns the largest value that a counter of `bits` bits holds. */
export function counterMax(bits: 8 | 14 | 16 | 32): number {
  return 2 ** bits - 1;
}
