/** Bins an axis may have. */
export const MAX_BINS = 65_536;
