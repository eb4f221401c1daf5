/** The numbers that are this backend's alone: the kernels and the addon are compiled with them (scripts/generate.mjs). */

/** Pieces of a source under way at once: one is filled, one copied, one counted. */
export const PIECES = 3;
/** Threads that copy into page-locked memory: one alone reaches a fifth of the bus. */
export const COPY_THREADS = 8;
/** Bytes that are worth a copying thread of their own. */
export const COPY_BYTES = 1_048_576;
/** Pieces, and parts of several devices, start at a multiple of so many pixels: aligned whatever the type. */
export const ALIGN_PIXELS = 64;
/** Milliseconds between two reports of progress. */
export const PROGRESS_MS = 50;
/** Words of four codes that a thread has read before it counts the first of them. */
export const WORDS_AHEAD = 4;
/** Threads that a block may have, and blocks that a grid may have in its second and third direction, on any device. */
export const BLOCK_THREADS_MAX = 1024;
export const GRID_ROWS_MAX = 65_535;
/** Bytes that an algorithm's own parameters may have. */
export const OWN_BYTES_MAX = 64;
