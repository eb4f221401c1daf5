/** Maximum number of bins of an axis. */
export const MAX_BINS = 65_536;
