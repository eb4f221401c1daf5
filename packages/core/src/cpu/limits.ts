/** Largest input, in bytes, that is counted synchronously. Even a slow simulation blocks the thread only briefly. */
export const SYNC_BYTES = 65_536;
/** Number of bytes from which filling and adding up four tables is as fast as one, for any data. */
export const LANES_LEAST = 4096;
/** Samples of several columns whose cells are found before they are counted, so that they stay in a cache. */
export const JOINT_STEP = 16_384;
