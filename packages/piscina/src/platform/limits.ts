import { limits } from "@polybin/core/backend";

/** Workers that share a table in per-warp. */
export const WORKER_GROUP = 2;
/** Bytes that a worker copies into its own memory at a time: a share of a second-level cache. */
export const WORKER_CHUNK_BYTES = 131_072;
/** Bytes of a worker's tables: four of 65,536 counters. */
export const WORKER_TABLE_BYTES: number = limits.WORKER_WIDE_LANES * limits.HALF_VALUES * 4;
/**
 * Bits of the sum in it. What is added between two flushes is below 2^36: 65,536 weights below 2^20, or, where a table
 * has fewer than WEIGHT_ADDENDS documents and so larger weights, all of them together below 2^31.
 */
export const WORKER_SUM_BITS = 40;
/** Features whose documents take turns in one loop of a worker: a weight is read once for them, and their chains overlap. */
export const WORKER_SIDE_BY_SIDE = 4;

/** Numbers of the pool; what bounds counters and tables is core's. */
export const poolLimits = {
  /** Calls whose work is in the pool at once; the others wait in the engine. */
  jobsAtOnce: 4,
  /** Pieces of memory that is not shared, under way a thread: one is counted while the next is copied. */
  piecesPerThread: 2,
  /** Bytes of such a piece. */
  pieceBytes: 2_097_152,
  /** Samples a cell of a window of segments, below the bytes of a piece. */
  samplesPerCell: 16,
  /** Bytes of weighted tables that workers share through atomics, in one launch. */
  sharedSumsBytes: 67_108_864,
  /** Milliseconds between two reports of progress. */
  progressMs: 50,
} as const;
