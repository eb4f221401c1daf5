/** Numbers that only this backend has. The addon is compiled with them (scripts/generate.mjs). */

/** Microseconds for which a thread waits actively before it sleeps. */
export const SPIN_US = 40;
/** Maximum number of bins whose edges are found in 32-bit floats. */
export const NARROW_BINS = 1_048_576;
/** Cells of the guess in which a search among uneven edges starts. */
export const CELLS_LEAST = 4096;
export const CELLS_MOST = 65_536;
/** The same, if more cells save a comparison. */
export const CELLS_FINEST = 16_384;
/** Bytes of samples that pay for one more thread, and that a thread takes at a time. */
export const SHARE_BYTES = 114_688;
/** The same for samples of four or eight bytes, which take less time by byte. */
export const SHARE_BYTES_WIDE = 196_608;
export const PIECE_BYTES = 65_536;
/** Files that are open at the same time. */
export const FILES_AT_ONCE = 16;
/** Bytes of a file that a thread reads at a time. */
export const FILE_BYTES = 262_144;
/** Bytes for each thread from which pairs of bytes are counted: the sum of their table costs a part of that. */
export const PAIRS_BYTES = 524_288;
/** Bytes of CSV in which the ends of all fields are found before the fields are read: a part of a second-level cache. */
export const CSV_BYTES = 32_768;
/** Bytes of a part of a file of text that are in memory at once: a part of a second-level cache. */
export const TEXT_STEP_BYTES = 262_144;
/** Bytes that are read at a time behind a part of a file of text, up to the end of its last record. */
export const TEXT_TAIL_STEP_BYTES = 4096;
/**
 * Different values that decide whether a column of text repeats them, and the largest share of different values as a fraction.
 * Counts of more values save no memory.
 */
export const REPEATS_FIRST = 8192;
export const REPEATS_MOST = 7;
export const REPEATS_OF = 8;
/** Bytes after a part of a file of text in which its last record must end, and the largest part that is read at once. */
export const TEXT_TAIL_BYTES = 1_048_576;
export const TEXT_MOST_BYTES = 1_073_741_824;
/**
 * Largest input, in bytes, that the calling thread counts, with the help of the others. To wake a thread and then the
 * event loop takes longer than a part of this count, and the count is short enough for an event loop.
 */
export const SYNC_BYTES = 1_048_576;
/** Samples are counted without tables if they are at most one of this number of the counters. */
export const SMALL_SHARE = 8;
/** Counters of all tables of a channel for which half of a first-level cache is left, and the bounds on their number. */
export const TABLE_WORDS = 4096;
export const TABLES_LEAST = 2;
export const TABLES_MOST = 8;
/** Cells of several columns from which a thread has one table of them, because a second-level cache does not hold two. */
export const ONE_TABLE_CELLS = 32_768;
/** The same for finding the minimum and maximum, which takes less time. */
export const EXTENT_BYTES = 524_288;
/** The same for the samples of several columns. */
export const SHARE_SAMPLES = 65_536;
export const PIECE_SAMPLES = 32_768;
/** Cells of all tables of a thread that adds up weights: a part of a first-level cache. */
export const ADDEND_CELLS = 1536;
/** Cells of the tables of all threads that add up weights. With more, fewer threads add up. */
export const SUMS_CELLS = 4_194_304;
/** Tables of a segment, and the samples for each of its rows from which it has several. */
export const SEGMENT_TABLES = 4;
export const SEGMENT_TABLES_FROM = 8;
/** Counters that a thread keeps for its next call. */
export const KEPT_WORDS = 4_194_304;
/** New jobs after which calls wait for a turn of the event loop, in which Node frees old ones. */
export const JOBS_A_TURN = 16;
/** Threads that share a table in per-warp. */
export const GROUP = 2;
/** Milliseconds between two progress reports. */
export const PROGRESS_MS = 50;
/** Bytes of the different texts of a column of Parquet at most, as its reader in JavaScript has it. */
export const PARQUET_TEXT_BYTES = 268_435_456;
