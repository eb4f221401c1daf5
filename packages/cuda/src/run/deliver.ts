import type { DeviceTimings } from "@polybin/core/backend";
import type { NativeTimes } from "../border/index.ts";
import { addTo } from "../memory/index.ts";

/** Adds the counts of several devices, in the array of the first. */
export function added(all: readonly Float64Array[], size: number): Float64Array {
  const [counts = new Float64Array(size), ...others] = all;
  for (const other of others) addTo(counts, other);
  return counts;
}

/** All devices work at the same time, so the longest time counts. */
export function longest(all: readonly NativeTimes[]): DeviceTimings {
  return {
    readMs: 0,
    uploadMs: Math.max(0, ...all.map(({ uploadMs }) => uploadMs)),
    kernelMs: Math.max(0, ...all.map(({ kernelMs }) => kernelMs)),
  };
}
