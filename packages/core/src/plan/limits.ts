import { VECTOR_BYTES } from "../base/index.ts";
import { BYTE_NIBBLES } from "../input/index.ts";
/** Segments of documents begin at a multiple of so many: 16 bytes of half bytes. */
export const SEGMENT_ALIGN: number = VECTOR_BYTES * BYTE_NIBBLES;
/** Rounds of blocks that segments may make at the most, to fill a device better than one does. */
export const SEGMENT_ROUNDS = 4;
/** The part of the places of all rounds that is enough. */
export const SEGMENT_FILL: number = 9 / 10;
/** Bins of all features that weights are added up over in one call: 1 GiB of counts and as much of sums. */
export const MAX_SUMS_BINS = 134_217_728;
