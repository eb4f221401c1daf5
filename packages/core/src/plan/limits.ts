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
