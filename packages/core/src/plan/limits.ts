import { VECTOR_BYTES } from "../base/index.ts";
import { BYTE_NIBBLES } from "../input/index.ts";
/** Segments of documents begin at a multiple of this number: 16 bytes of 4-bit values. */
export const SEGMENT_ALIGN: number = VECTOR_BYTES * BYTE_NIBBLES;
/** Maximum number of rounds of blocks that segments may take to fill a device better than one round does. */
export const SEGMENT_ROUNDS = 4;
/** Share of the places of all rounds that counts as filled. */
export const SEGMENT_FILL: number = 9 / 10;
/** Maximum number of bins, over all features, of one call of weighted sums: 1 GiB of counts and 1 GiB of sums. */
export const MAX_SUMS_BINS = 134_217_728;
/** Maximum number of columns of a joint histogram, the groups' column included. */
export const MAX_JOINT_COLUMNS = 6;
/** Maximum number of cells of a joint histogram whose counters lie in tables, and in a GPU's global memory. */
export const MAX_TABLE_CELLS: number = 2 ** 24;
export const MAX_CELLS: number = 2 ** 26;
/**
 * Maximum number of cells for which a GPU counts bytes by all of their 256 values, so that the kernel needs no lookup.
 * Two columns of bytes have this number.
 */
export const JOINT_RAW_CELLS = 65_536;
