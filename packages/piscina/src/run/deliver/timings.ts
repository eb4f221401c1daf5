import type { DeviceTimings } from "@polybin/core/backend";

const NO_TIMINGS: DeviceTimings = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** Returns a call's timings from its start until now if they were requested; otherwise 0. */
export function timingsOf(start: number, uploadMs: number, isTimed: boolean | undefined): DeviceTimings {
  return isTimed ? { readMs: 0, uploadMs, kernelMs: performance.now() - start - uploadMs } : NO_TIMINGS;
}
