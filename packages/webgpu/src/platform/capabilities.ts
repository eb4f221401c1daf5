import { limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import * as own from "./limits.ts";
import { isSoftware } from "./software.ts";

/** The limits that plans depend on. All others stay at their defaults. */
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupsPerDimension",
] as const;

/** Requests all that the adapter offers: a device with the default limits would count in smaller blocks and chunks. */
export function requiredLimits(of: GPUSupportedLimits): Record<string, number> {
  return Object.fromEntries(LIMITS.map((name) => [name, of[name]]));
}

/** Requests timestamps if the adapter has them. */
export function wantedFeatures(of: GPUSupportedFeatures): GPUFeatureName[] {
  return of.has("timestamp-query") ? ["timestamp-query"] : [];
}

export function deviceLimits({ limits: of, adapterInfo }: GPUDevice): WebgpuLimits {
  const most = Math.min(of.maxStorageBufferBindingSize, of.maxBufferSize, own.CHUNK_BYTES);
  const chunkBytes = most - (most % limits.VECTOR_BYTES);
  const software = isSoftware({ info: adapterInfo });
  return {
    kind: "gpu",
    units: software ? own.FALLBACK_UNITS : own.UNITS,
    warp: limits.WARP_THREADS,
    warpBarriers: false,
    banks: limits.WARP_THREADS,
    sharedBytes: of.maxComputeWorkgroupStorageSize,
    blockThreads: Math.min(of.maxComputeInvocationsPerWorkgroup, of.maxComputeWorkgroupSizeX),
    unit: {
      threads: own.UNIT_THREADS,
      blocks: software ? 1 : own.UNIT_BLOCKS,
      sharedBytes: own.UNIT_SHARED_BYTES,
      reservedBytes: own.RESERVED_BYTES,
    },
    chunkSamples: chunkBytes,
    doubles: false,
    chunkBytes,
    gridBlocks: of.maxComputeWorkgroupsPerDimension,
    partBytes: Math.min(
      software ? own.FALLBACK_PART_BYTES : own.PART_BYTES,
      chunkBytes - limits.GPU_PADDING_BYTES,
    ),
    sumsValues: software ? own.FALLBACK_SUMS_VALUES : limits.GPU_SUMS_VALUES,
    sumsBlocks: software ? 1 : limits.GPU_SUMS_BLOCKS,
    generic: software,
    alignment: of.minStorageBufferOffsetAlignment,
  };
}
