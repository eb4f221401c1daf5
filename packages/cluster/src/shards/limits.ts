import { limits } from "@polybin/core/backend";

/** Files of a task at most. */
export const MAX_FILES = 100_000;

/** Counted columns of a task at most. */
export const MAX_TASK_COLUMNS = 4_096;

/** Shards of a task at most. */
export const MAX_SHARDS = 1_000_000;

/** Characters of a task's JSON at most. */
export const MAX_TASK_CHARACTERS = 67_108_864;

/** Characters of a location, a name of a column and a version of a file at most. */
export const MAX_TEXT = 65_536;

/** Groups of `by` at most. */
export const MAX_GROUPS = 65_536;

/** Different strings of one column at most, in all groups together. An axis has no more bins. */
export const MAX_STRINGS = 65_536;

/** Code units of the different strings of one column together at most. */
export const MAX_STRING_UNITS = 16_777_216;

/** Cells of all groups of a column at most, while a shard is counted. Each takes 8 bytes. */
export const MAX_GROUP_CELLS = 16_777_216;

/** Cells of a joint histogram, flow included, at most. A result holds 8 bytes for each. */
export const MAX_JOINT_CELLS = 16_777_216;

/** Bytes of an encoded partial at most. */
export const MAX_PARTIAL_BYTES = 67_108_864;

/** Bytes of a shard if neither their number nor their size is given. */
export const SHARD_BYTES = 67_108_864;

/** Bins of an axis at most, as core has it. */
export const MAX_BINS: number = limits.MAX_BINS;

/** Different values of a column that a profile counts exactly, at most. */
export const MAX_DISTINCT = 16_777_216;

/** Cells of a profile's table of counts by hash, at most. */
export const MAX_HASH_CELLS = 16_384;

/** Pairs of columns that a profile counts together, at most. */
export const MAX_PAIRS = 4_096;

/** Cells of the table in which a batch of strings is counted. Batches with more are counted string by string. */
export const MAX_TABLE_CELLS = 1_048_576;

/** Parts of a file at most, if the task says how large they are. */
export const MAX_PARTS = 1_000_000;
/** Bins over which columns of a profile are averaged, at most. */
export const MAX_OVER_BINS = 100;

/** Columns of numbers, and columns with nulls, whose pairs are counted, and the bins of each column. */
export const MAX_PAIRED = 64;
export const MAX_PAIRED_BINS = 64;
