/** Maximum number of cells of the guess table over variable edges. */
export const GUESS_CELLS = 2048;
/** Lowerings that an engine caches for later calls over the same axis. */
export const KEPT_LOWERINGS = 8;
/**
 * Bounds on the cells of the guess table on a GPU, where every lane has its own. It has twice as many cells as edges.
 */
export const RANK_CELLS_MIN = 512;
export const RANK_CELLS_MAX = 4096;
/**
 * Largest distance of an edge from its ideal place, in cells. The remainder up to 0.5 allows for a device's rounding.
 */
export const RANK_SLACK: number = 1 / 8;
/** Range of widths whose inverse in 32-bit floats cannot be a denormal. */
export const RANK_INVERSE_MIN: number = 2 ** -126;
export const RANK_INVERSE_MAX: number = 2 ** 100;
/** Number of thresholds after the last one that a search may read. */
export const RANK_PADDING = 7;
/** Samples that are converted to doubles at a time, so that they stay in a cache. */
export const DOUBLES_AT_ONCE = 2048;
/** Maximum number of cells of the range of uneven edges, in which a search among doubles starts. */
export const FINDER_CELLS = 4096;
/** Maximum number of rows that are compared with in fixed memory. */
export const GUESS_ROWS = 1024;
