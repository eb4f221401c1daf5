/** Bytes of a message's metadata, or of a file's footer. Those of 16,384 columns take about 3 MB. */
export const MAX_METADATA_BYTES = 33_554_432;
/** Fields of a schema, nested ones included. */
export const MAX_FIELDS = 65_536;
/** Levels of nested fields. */
export const MAX_DEPTH = 64;
/** Record batches, and dictionaries, that a file may list. */
export const MAX_BLOCKS = 1_048_576;
/** Decoded bytes of a batch that a reader aims at. It reads larger record batches in pieces. */
export const BATCH_BYTES = 67_108_864;
/** Rows of a piece at least. A multiple of 64, so that the bits of a piece start at a byte. */
export const MIN_BATCH_ROWS = 8_192;
/** Decoded bytes of the batches that are decoded or wait at a time. */
export const AHEAD_BYTES = 268_435_456;
/**
 * Bytes of what cannot be read in pieces: a buffer after decompression, the data of string views, the values of a
 * dictionary, a message of a stream that cannot be read twice.
 */
export const MAX_BUFFER_BYTES = 536_870_912;
/**
 * Bytes of the asked columns of a record batch that cannot be read in pieces, after decompression. A batch may have more
 * if it holds them: MAX_EXPANSION times its compressed bytes.
 */
export const MAX_BATCH_BYTES = 1_073_741_824;
/** Decompressed bytes per compressed byte of a batch above MAX_BATCH_BYTES. */
export const MAX_EXPANSION = 8;
/** Bytes of the different strings of a column in a batch. */
export const MAX_STRING_BYTES = 268_435_456;
