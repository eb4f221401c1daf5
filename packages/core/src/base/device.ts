/** What a device can hold and do, in the words of CUDA; a worker counts as a multiprocessor. */
export interface DeviceLimits {
  readonly kind: "cpu" | "workers" | "gpu";
  /** Multiprocessors, or workers. */
  readonly units: number;
  /** Threads of a warp, or workers that share a table. */
  readonly warp: number;
  /** Banks of shared memory, or tables that a worker keeps side by side. */
  readonly banks: number;
  /** Bytes of shared memory a block (a worker's tables) may take. */
  readonly sharedBytes: number;
  /** Threads a block may have. */
  readonly blockThreads: number;
  /** Of a GPU, what one multiprocessor holds for all its blocks; where it is not known, one block each. */
  readonly unit?: UnitLimits | undefined;
  /** Samples of one launch, at most. */
  readonly chunkSamples: number;
  /** Of a GPU: does it calculate in 64-bit floats? Where not, f64 samples find their bins by their keys alone. Default yes. */
  readonly doubles?: boolean | undefined;
}

/** What a multiprocessor has room for. */
export interface UnitLimits {
  readonly threads: number;
  readonly blocks: number;
  /** Bytes of shared memory, and those of them that every block takes for itself. */
  readonly sharedBytes: number;
  readonly reservedBytes: number;
}
