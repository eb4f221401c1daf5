import { U32_MAX } from "../base/index.ts";
/** Values of half a byte. */
export const NIBBLE_VALUES = 16;
/** Half bytes in a byte. */
export const BYTE_NIBBLES = 2;
/** Bins that a feature has at least. */
export const FEATURE_BINS_MIN = 2;
/** Documents of a table: their indices have 32 bits. */
export const MAX_DOCUMENTS: number = U32_MAX;
/** Features of a table: each takes a kilobyte or two of this process's heap while weights are added up, whatever its bins. */
export const MAX_FEATURES = 1_048_576;
/** Channels interleaved in a pixel. */
export const MAX_CHANNELS = 4;
/** Bytes that a stream gathers before they are counted. */
export const STREAM_CHUNK = 8_388_608;
