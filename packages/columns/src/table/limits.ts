/**
 * Columns that a table may have at most. A batch holds an object per column, so a file that claims a million columns
 * would take memory that its bytes do not justify.
 */
export const MAX_COLUMNS = 16_384;

/** Structures in each other whose fields are columns. */
export const MAX_STRUCTURES = 32;

/** Bytes of text or of rows that a part holds by default. It bounds the memory of a read, together with `threads`. */
export const PART_BYTES = 8_388_608;
