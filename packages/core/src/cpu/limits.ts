/** Bytes of an input that are counted at once, however slow the simulation: a thread is not missed for so long. */
export const SYNC_BYTES = 65_536;
