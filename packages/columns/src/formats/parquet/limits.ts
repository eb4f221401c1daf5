/** Bytes of a file's metadata. Parsed metadata take some ten times as much memory. */
export const MAX_FOOTER_BYTES = 33_554_432;
/** Structures and elements of lists in a file's metadata. A file with 300,000 column chunks has about this number. */
export const MAX_FOOTER_NODES = 4_194_304;
/** Elements of a schema, nested ones and the root included. */
export const MAX_SCHEMA_ELEMENTS = 65_536;
/** Bytes of a page's header, which may hold statistics. */
export const MAX_HEADER_BYTES = 1_048_576;
/** Bytes of a page, before and after decompression. */
export const MAX_PAGE_BYTES = 268_435_456;
/** Rows of a page, so that eight bytes per row stay below MAX_PAGE_BYTES. */
export const MAX_PAGE_ROWS = 33_554_432;
/** Rows of a page of booleans, whose values take a byte. */
export const MAX_PAGE_BOOLEANS = 268_435_456;
/** Decoded bytes of a batch that a reader aims at. A larger row group is read as several batches. */
export const BATCH_BYTES = 67_108_864;
/** Rows of a batch at least, however wide they are, so that pages are not decoded again and again. */
export const MIN_BATCH_ROWS = 8_192;
/** Bytes of batches that were freed, which are kept for later ones. */
export const SPARE_BYTES = 67_108_864;
/** Decoded bytes of the batches that are decoded or wait at a time. */
export const AHEAD_BYTES = 268_435_456;
/**
 * Decoded bytes of the pages that have more rows than a batch. Each is decoded once, and kept until its last row. Pages
 * above the limit are decoded again for each batch.
 */
export const HELD_BYTES = 2_147_483_648;
/** Bytes of the tasks that are decoded at a time, before decompression. */
export const TASK_BYTES = 268_435_456;
/** Bytes of a column chunk that are read at a time. The columns of a read share READ_BYTES. */
export const WINDOW_BYTES = 8_388_608;
export const MIN_WINDOW_BYTES = 65_536;
export const READ_BYTES = 134_217_728;
/** Bytes of the different strings of a column in a batch. */
export const MAX_STRING_BYTES = 268_435_456;
/** How often the values of a dictionary occur in a batch on average, at least, if they are counted instead of listed. */
export const MIN_REPEATS = 4;
