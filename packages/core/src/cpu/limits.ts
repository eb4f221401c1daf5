/** Largest input, in bytes, that is counted synchronously. Even a slow simulation blocks the thread only briefly. */
export const SYNC_BYTES = 65_536;
/** Number of bytes from which filling and adding up four tables is as fast as one, for any data. */
export const LANES_LEAST = 4096;
/** Samples of several columns whose cells are found before they are counted, so that they stay in a cache. */
export const JOINT_STEP = 16_384;
/** Tables that neighbouring samples take turns with, so that equal ones do not wait for each other. */
export const LANES = 4;
/** Maximum number of rows of these tables. Together they then take half of a first-level cache. */
export const LANE_ROWS = 1024;
/** Samples per row from which the turns pay for adding the tables up. */
export const LANE_SAMPLES = 4;
/** Samples that are counted in 32-bit tables before these are moved to doubles. */
export const TABLE_SAMPLES = 16_777_216;
/** Integers that are converted to 32 bits at a time, so that they stay in a cache. */
export const INTEGERS_AT_ONCE = 4096;
