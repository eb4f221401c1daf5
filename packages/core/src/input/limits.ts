import { U32_MAX } from "../base/index.ts";
/** Number of values of a 4-bit integer. */
export const NIBBLE_VALUES = 16;
/** Number of 4-bit values per byte. */
export const BYTE_NIBBLES = 2;
/** Minimum number of bins of a feature. */
export const FEATURE_BINS_MIN = 2;
/** Maximum number of documents of a table, whose indices have 32 bits. */
export const MAX_DOCUMENTS: number = U32_MAX;
/** Maximum number of features of a table. While weights are added up, each takes 1 to 2 KB of this process's heap. */
export const MAX_FEATURES = 1_048_576;
/** Maximum number of interleaved channels per pixel. */
export const MAX_CHANNELS = 4;
/** Bytes of a stream that are gathered before they are counted. */
export const STREAM_CHUNK = 8_388_608;
