/** Maximum number of bins of an axis. */
export const MAX_BINS = 65_536;
/**
 * Maximum number of bins of a circular axis. Devices count remainders of either sign, and the bin at zero has two
 * parts of each.
 */
export const CIRCULAR_BINS = 32_767;
/** Magnitudes of the exponent of a power axis, within which integers of 224 bits give the nearest f64. */
export const EXPONENT_MIN = 0.001;
export const EXPONENT_MAX = 1000;
