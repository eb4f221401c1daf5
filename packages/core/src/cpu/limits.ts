/** Bytes of an input that are counted at once, however slow the simulation: a thread is not missed for so long. */
export const SYNC_BYTES = 65_536;
/** Bytes from which on four tables are sooner filled and summed than one. */
export const LANES_LEAST = 1024;
/** Samples that the oracle reads as doubles at a time: they stay in a cache. */
export const DOUBLES_AT_ONCE = 2048;
