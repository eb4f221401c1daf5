import type { DeviceLimits } from "@polybin/core/backend";

/** A device's limits, as plans see them, and some that plans do not depend on. */
export interface WebgpuLimits extends DeviceLimits {
  /** Bytes of samples that one dispatch may read: what one buffer can hold and one binding can expose. */
  readonly chunkBytes: number;
  /** Blocks (workgroups) in one dimension of a dispatch. */
  readonly gridBlocks: number;
  /** Bytes of host memory that one dispatch reads. */
  readonly partBytes: number;
  /** Values (documents times features) that one submission adds up, and the blocks that it has at least. */
  readonly sumsValues: number;
  readonly sumsBlocks: number;
  /**
   * Whether kernels of weighted sums are short and each compiled for many plans. A fallback adapter computes on the CPU
   * and takes long to compile a kernel.
   */
  readonly generic: boolean;
  /** The offset of a binding is a multiple of this number of bytes. */
  readonly alignment: number;
}
