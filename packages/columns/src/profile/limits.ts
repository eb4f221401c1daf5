/** Values that the moments take in one step, so that the sums of a step are exact doubles. */
export const STEP = 4096;
/** Bits of a double's digit: STEP products of two of them add up to less than 2^53. */
export const DIGIT_BITS = 20;
/** The exponents between which squares of doubles, and their rounding errors, neither overflow nor underflow. */
export const MOST_EXPONENT = 400;
/** Different values that a column's exact counts hold by default. */
export const DISTINCT_LIMIT = 100_000;
/** Different values that all columns together hold by default, so that a wide table takes no more memory. */
export const DISTINCT_TOTAL = 4_000_000;
/** Different values that a column holds by default at least. */
export const DISTINCT_LEAST = 1000;
/** The most that `distinctLimit` may be. */
export const MOST_DISTINCT: number = 2 ** 24;
/** UTF-16 code units of strings for each value of the limit, so that long strings do not take more memory than short ones. */
export const UNITS_PER_STRING = 64;
/** Cells of the table of counts by hash that a column has beyond the limit. A power of two. */
export const HASH_CELLS = 16_384;
/** Beyond the limit, values above this share of a column are found and counted exactly. */
export const HEAVY_SHARE: number = 1 / 1024;
/** Patterns of strings that a column counts at most, and the code units of a pattern. */
export const MOST_PATTERNS = 1000;
export const PATTERN_UNITS = 64;
/** Lengths of strings that are counted one by one. Longer ones are counted together. */
export const LENGTHS = 256;
/** Code units of a string in a result. Longer ones are clipped. */
export const CLIPPED_UNITS = 256;
/** Bins of a histogram by default. */
export const PROFILE_BINS = 256;
/** Bins that are counted for each bin of the result, so that quantiles have narrower bounds. A power of two. */
export const FINE = 16;
/**
 * Bins that the counters of one pass have at most. A bin takes about 50 bytes in all, in the counter, its result and the
 * sums, so this bounds them to about 1.6 GB.
 */
export const MOST_COUNTED_BINS: number = 2 ** 25;
/** Bins along each axis of a joint picture by default. */
export const JOINT_BINS = 64;
/** Bins of a time column over which the other columns are averaged, at most. */
export const MOST_OVER = 100;
/** Columns that a profile correlates at most: a pair has a table of counts. */
export const MOST_CORRELATED = 64;
/** Different rows whose hashes are kept, so that duplicates are counted exactly. They take about 32 MB. */
export const MOST_ROWS: number = 2 ** 20;
/** Bytes of values that a profile keeps, so that it need not decode columns again. */
export const KEPT_BYTES: number = 2 ** 28;
/** Most frequent values in a result by default, and at most. */
export const TOP = 10;
export const MOST_TOP = 1000;
/** Bytes of values that the engine counts at once. Worker threads count so few on the calling thread, without a copy. */
export const PIECE_BYTES: number = 2 ** 19;
/** Values that the calling thread adds up in less time than threads take to start. */
export const FEW_VALUES: number = 2 ** 21;
/** Values of a table whose threads start before the first value is read. */
export const MANY_VALUES: number = 2 ** 23;
/** Threads that add up columns at most. More take memory, and one slow column bounds the time. */
export const MOST_COLUMN_THREADS = 8;
/** Bytes of values of all columns that wait until they fill a piece. */
export const WAITING_BYTES: number = 2 ** 26;
