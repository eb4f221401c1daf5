/** Bytes of an input that are counted at once, however slow the simulation: a thread is not missed for so long. */
export const SYNC_BYTES = 65_536;
/** Bytes from which on four tables are filled and summed as soon as one, whatever the data. */
export const LANES_LEAST = 4096;
/** Samples that the oracle reads as doubles at a time: they stay in a cache. */
export const DOUBLES_AT_ONCE = 2048;
