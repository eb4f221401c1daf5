/** Cells of the first-guess table over variable edges. */
export const GUESS_CELLS = 2048;
/** Lowerings that an engine keeps for the next call over the same axis. */
export const KEPT_LOWERINGS = 8;
/** Cells of the same on a GPU, where every lane has its own: twice the edges, within these. */
export const RANK_CELLS_MIN = 512;
export const RANK_CELLS_MAX = 4096;
/** How far off its place an edge may be, in cells; what is left to a half is for a device's rounding. */
export const RANK_SLACK: number = 1 / 8;
/** Widths whose inverse is taken in 32-bit floats without care for denormals: exponents of two. */
export const RANK_INVERSE_MIN: number = 2 ** -126;
export const RANK_INVERSE_MAX: number = 2 ** 100;
/** Thresholds that a search may look at past the last one. */
export const RANK_PADDING = 7;
