import { type DeviceLimits, limits } from "@polybin/core/backend";
import { GROUP, TABLE_WORDS } from "./limits.ts";

/** Returns the limits of a device: a thread is a block of one thread whose tables lie in its first-level cache. */
export function deviceLimits(threads: number): DeviceLimits {
  return {
    kind: "workers",
    units: threads,
    warp: Math.min(GROUP, threads),
    banks: limits.WORKER_LANES,
    sharedBytes: TABLE_WORDS * limits.WORD_BYTES,
    blockThreads: 1,
    chunkSamples: limits.U32_MAX,
  };
}
