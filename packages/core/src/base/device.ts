/** Describes what a device can hold and do, in CUDA's terms. A worker counts as a multiprocessor. */
export interface DeviceLimits {
  readonly kind: "cpu" | "workers" | "gpu";
  /** Number of multiprocessors, or of workers. */
  readonly units: number;
  /** Threads per warp, or workers that share one table. */
  readonly warp: number;
  /** Whether the threads of a warp can wait for each other without the rest of their block. Default: true. */
  readonly warpBarriers?: boolean;
  /** Banks of shared memory, or tables that a worker keeps side by side. */
  readonly banks: number;
  /** Bytes of shared memory that a block (a worker's tables) may use. */
  readonly sharedBytes: number;
  /** Maximum number of threads per block. */
  readonly blockThreads: number;
  /** Capacity of one multiprocessor of a GPU for all its blocks. Absent: unknown, which means one block each. */
  readonly unit?: UnitLimits | undefined;
  /** Maximum number of samples per launch. */
  readonly chunkSamples: number;
  /**
   * Whether a GPU computes in 64-bit floats. Without them, f64 samples find their bins by their keys alone. Default:
   * true.
   */
  readonly doubles?: boolean | undefined;
}

/** Describes the capacity of one multiprocessor. */
export interface UnitLimits {
  readonly threads: number;
  readonly blocks: number;
  /** Total bytes of shared memory, and the bytes that the device reserves for each block. */
  readonly sharedBytes: number;
  readonly reservedBytes: number;
}
