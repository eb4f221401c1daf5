import { type DeviceLimits, limits } from "@polybin/core/backend";
import { WORKER_GROUP, WORKER_TABLE_BYTES } from "./limits.ts";

/** Returns the limits of a pool: a worker is a block of one thread whose tables lie in its own memory. */
export function deviceLimits(threads: number): DeviceLimits {
  return {
    kind: "workers",
    units: threads,
    warp: Math.min(WORKER_GROUP, threads),
    banks: limits.WORKER_LANES,
    sharedBytes: WORKER_TABLE_BYTES,
    blockThreads: 1,
    chunkSamples: limits.U32_MAX,
  };
}
