/** The numbers that are this backend's alone: the kernels and the addon are compiled with them (scripts/generate.mjs). */

/** Pieces of a source under way at once: one is filled, one copied, one counted. */
export const PIECES = 3;
/** Threads that copy into page-locked memory: one alone reaches a fifth of the bus. */
export const COPY_THREADS = 8;
/** Bytes that one of them copies at a time, and copies to the device, at most, of what they have copied of a piece. */
export const COPY_BYTES = 262_144;
export const COPIES_OF_A_PIECE = 8;
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
/** Bytes of host memory that are counted at once, without another thread: the kernel reads them where they lie, page-locked. */
export const FEW_BYTES = 65_536;
/** Launches of one call that are queued without anybody who could stop them in between. */
export const LAUNCHES_AT_ONCE = 16;
/** Calls that the engine hands over at a time: they queue on the device. */
export const CALLS_AT_ONCE = 1024;
/** Bytes of page-locked memory where counts arrive, and small inputs wait. */
export const RING_BYTES = 16_777_216;
/** Counts that the last block of a launch hands on by itself; a longer table has a launch of its own for that. */
export const COUNTS_OF_A_BLOCK = 4096;
/** Microseconds for which a call's end is awaited without a pause; then there are naps of so many. */
export const SPIN_US = 5000;
export const NAP_US = 50;
/** Microseconds between two questions whether the device still works. */
export const ASK_US = 1000;
/** Microseconds for which a context's thread looks out for the next call before it sleeps: waking it takes as long. */
export const LINGER_US = 50;
