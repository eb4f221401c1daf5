import type { DeviceLimits } from "@polybin/core/backend";

/** A device's limits in the words of plans, and what plans do not depend on. */
export interface WebgpuLimits extends DeviceLimits {
  /** Bytes of samples that one dispatch may read: what can be bound, in one buffer. */
  readonly chunkBytes: number;
  /** Blocks (workgroups) in one dimension of a dispatch. */
  readonly gridBlocks: number;
  /** Bytes of host memory that one dispatch reads. */
  readonly partBytes: number;
  /** Values, documents times features, that one submission adds up; and the blocks that it has all the same. */
  readonly sumsValues: number;
  readonly sumsBlocks: number;
  /**
   * Are kernels of weighted sums compiled for many plans at once, and short? A fallback adapter, which computes on the
   * CPU, takes long to compile one.
   */
  readonly generic: boolean;
  /** What the offset of a binding is a multiple of. */
  readonly alignment: number;
}
