// Numbers shared with @polybin/core: to be generated from its limits.ts, so nothing but constants here.

/** Values of a byte: cells that raw 8-bit samples are counted into. */
export const BYTE_VALUES: u32 = 256;
/** Values of a 16-bit code: the most cells a table has. */
export const HALF_VALUES: u32 = 65536;
/** Largest value of a 16-bit counter. */
export const U16_MAX: u32 = 65535;
/** Largest value of a 32-bit counter: the most samples between two resets. */
export const U32_MAX: u32 = 4294967295;
/** Bytes of a 32-bit word. */
export const WORD_BYTES: u32 = 4;
/** Threads of a TRISH block. */
export const TRISH_THREADS: u32 = 64;
/** Words a TRISH thread may bin before one of its byte counters could pass 255. */
export const TRISH_WORDS: u32 = 63;
/** Samples a worker counts by bytes before it goes over to pairs of bytes (see per-lane.as.ts). */
export const PAIRS_FROM: u32 = 1048576;
/** Most cells of 16-bit codes that keep eight lanes in the first-level cache. */
export const NARROW_CELLS: u32 = 1024;
/** Bytes of input copied in at a time. */
export const CHUNK_BYTES: u32 = 131072;
/** Cells of the first-guess table over variable edges. */
export const GUESS_CELLS: u32 = 2048;
