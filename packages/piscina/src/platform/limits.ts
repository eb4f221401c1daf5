import { limits } from "@polybin/core/backend";

/** The number of workers that share a table in per-warp. */
export const WORKER_GROUP = 2;
/** The number of bytes that a worker copies into its own memory at a time: a share of a second-level cache. */
export const WORKER_CHUNK_BYTES = 131_072;
/**
 * The maximum number of cells of a guess where the search among uneven edges starts: 16 KiB, half of a first-level
 * cache.
 */
export const WORKER_CELLS = 4096;
/** Bytes from the first threshold of a column to the first start of its cells: 65,536 keys of 8 bytes and a few more. */
export const WORKER_STARTS_AFTER: number = limits.HALF_VALUES * 8 + 192;
/**
 * The size in bytes of all tables of a job in memory that is also used by others. kernels/lib/memory.as.ts lays them
 * out from COUNTS on.
 */
export const WORKER_REGION_BYTES = 2_686_976;
/** The size in bytes of a worker's tables: four tables of 65,536 counters. */
export const WORKER_TABLE_BYTES: number = limits.WORKER_WIDE_LANES * limits.HALF_VALUES * 4;
/**
 * The number of bits of the sum in a table's word. The total that is added between two flushes is below 2^36: 65,536
 * weights below 2^20. A table with fewer than WEIGHT_ADDENDS documents may have larger weights. Their total is below
 * 2^31.
 */
export const WORKER_SUM_BITS = 40;
/**
 * The number of features whose documents alternate in one loop of a worker. A weight is read once for all of them, and
 * their dependency chains overlap.
 */
export const WORKER_SIDE_BY_SIDE = 4;

/** Limits of the pool. Core has the limits of counters and tables. */
export const poolLimits = {
  /** The number of calls whose work is in the pool at once. Other calls wait in the engine. */
  jobsAtOnce: 4,
  /**
   * The size in bytes of an input that the calling thread counts itself before any worker has answered, and the lower
   * and upper bound of this size afterwards.
   */
  aloneBytes: 131_072,
  aloneBytesLeast: 65_536,
  aloneBytesMost: 4_194_304,
  /** The maximum size in bytes of an input that is counted before the call returns. */
  syncBytesMost: 1_048_576,
  /** The maximum number of bytes that are counted without a task for them. */
  fewBytes: 16_384,
  /** The maximum number of bytes that core's loops count, because the calls of WebAssembly take longer. */
  fewestBytes: 1024,
  /** The number of round trips to the workers that are remembered, and that a decision needs. */
  trips: 9,
  tripsLeast: 5,
  /** The number of pieces of unshared memory per worker: one is counted while the next is copied. */
  piecesPerThread: 2,
  /** The size of a piece in bytes. Its copy is in a cache when a worker counts it. */
  pieceBytes: 524_288,
  /** The maximum share of the time of counting that copying may take. */
  copyShare: 0.75,
  /** The milliseconds that the calling thread counts before other work gets its turn. */
  turnMs: 10,
  /** The number of bytes that the calling thread counts between two progress reports. */
  toldBytes: 1_048_576,
  /** The maximum size in bytes of a window of segments. */
  windowBytes: 1_048_576,
  /** The size in bytes up to which the memory of a joint count is kept for later calls. */
  cellMemoryBytes: 67_108_864,
  /** The number of samples per cell in a window of segments, if they fit in a piece. */
  samplesPerCell: 16,
  /** The size in bytes of the weighted tables that workers share through atomics in one launch. */
  sharedSumsBytes: 67_108_864,
  /** The time between two progress reports in milliseconds. */
  progressMs: 50,
} as const;
