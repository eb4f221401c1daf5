/** Numbers of the pool; what bounds counters and tables is core's. */
export const limits = {
  /** Calls whose work is in the pool at once; the others wait in the engine. */
  jobsAtOnce: 4,
  /** Pieces of memory that is not shared, under way a thread: one is counted while the next is copied. */
  piecesPerThread: 2,
  /** Bytes of such a piece. */
  pieceBytes: 2_097_152,
  /** Bytes of weighted tables that workers share through atomics, in one launch. */
  sharedSumsBytes: 67_108_864,
  /** Milliseconds between two reports of progress. */
  progressMs: 50,
} as const;
