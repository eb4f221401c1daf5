/** Numbers that only this backend has. The kernels and the addon are compiled with them (scripts/generate.mjs). */

/** Pieces of a source in flight: one is filled, one copied, one counted. */
export const PIECES = 3;
/** Threads that copy into page-locked memory. A single thread reaches a fifth of the bus's bandwidth. */
export const COPY_THREADS = 8;
/** Bytes that a thread copies at a time, and the most copies to the device into which a piece is divided. */
export const COPY_BYTES = 262_144;
export const COPIES_OF_A_PIECE = 8;
/** Pieces, and parts of several devices, start at a multiple of this number of pixels: aligned for every type. */
export const ALIGN_PIXELS = 64;
/** Milliseconds between two progress reports. */
export const PROGRESS_MS = 50;
/** Words of four codes that a thread reads before it counts the first of them. */
export const WORDS_AHEAD = 4;
/** Cells of samples that are written at a time, for algorithms that count them. The second-level cache holds them. */
export const JOINT_CELLS = 8_388_608;
/** The most threads of a block, and the most blocks of a grid in its second and third dimension, on any device. */
export const BLOCK_THREADS_MAX = 1024;
export const GRID_ROWS_MAX = 65_535;
/** The most bytes of an algorithm's own parameters. */
export const OWN_BYTES_MAX = 64;
/**
 * Up to this number of bytes of host memory, a call is counted at once, without another thread. The kernel reads the
 * samples in page-locked memory.
 */
export const FEW_BYTES = 65_536;
/** Launches of one call that are queued without a chance to stop in between. */
export const LAUNCHES_AT_ONCE = 16;
/** Calls that the engine submits at a time. They queue on the device. */
export const CALLS_AT_ONCE = 1024;
/** Files that are open at the same time. */
export const FILES_AT_ONCE = 16;
/** Bytes of page-locked memory where counts arrive and small inputs wait. */
export const RING_BYTES = 16_777_216;
/**
 * The most counts that the last block of a launch delivers itself. A longer table needs a launch of its own for that.
 */
export const COUNTS_OF_A_BLOCK = 4096;
/** Microseconds of waiting for a call's end without a pause, and of each pause after that. */
export const SPIN_US = 5000;
export const NAP_US = 50;
/** Microseconds between two checks whether the device still works. */
export const ASK_US = 1000;
/**
 * Microseconds for which a context's thread waits actively for the next call before it sleeps. Waking it takes as long.
 */
export const LINGER_US = 50;
