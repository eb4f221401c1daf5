import { type DeviceLimits, limits } from "@polybin/core/backend";
import type { NativeDevice } from "../border/index.ts";

/** Describes a device for plans. Its plans depend on this alone, so benchmarks hash this file. */
export function deviceLimits(of: NativeDevice): DeviceLimits {
  return {
    kind: "gpu",
    units: of.units,
    warp: of.warp,
    banks: limits.WARP_THREADS,
    sharedBytes: of.sharedBytes,
    blockThreads: of.blockThreads,
    unit: {
      threads: of.unitThreads,
      blocks: of.unitBlocks,
      sharedBytes: of.unitSharedBytes,
      reservedBytes: of.reservedBytes,
    },
    chunkSamples: limits.U32_MAX,
  };
}
