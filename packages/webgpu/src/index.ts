import type { Backend } from "@polybin/core";
import { backendOver } from "./backend.ts";
import type { DawnOptions } from "./base/index.ts";
import { findDawn } from "./dawn/index.ts";
import type { BackendOptions } from "./options.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./run/ceiling.ts";

/**
 * WGSL kernels on Dawn, from the package `webgpu`, or on the runtime's own `navigator.gpu`. Importing it needs neither
 * GPU nor Dawn; `probe` says what is missing.
 * @throws ERR_INPUT for wrong options.
 */
export function webgpu(options: BackendOptions = {}): Backend {
  return backendOver(({ dawn = [] }) => findDawn(dawn), options);
}

/**
 * How fast a device reads its own memory by kernels that do nothing else, each way that is tried: what a histogram
 * of resident samples could reach at most. Rounds are timed on the device; Dawn rounds its times unless its toggle
 * `timestamp_quantization` is off.
 * @throws ERR_INPUT for a wrong option; ERR_UNAVAILABLE where there is no device or it tells no times;
 * ERR_OUT_OF_MEMORY.
 */
export async function readCeiling(options: CeilingOptions & DawnOptions): Promise<ReadRow[]> {
  return readRows(({ dawn = [] }) => findDawn(dawn), options);
}

export type { DawnOptions, WebgpuLimits, WebgpuOptions } from "./base/index.ts";
export type {
  Composed,
  CountKernel,
  CountShape,
  Stage,
  SumsKernel,
  WebgpuKernel,
} from "./kernels/lib/kernel.ts";
export { type BufferSamplesOptions, bufferSamples } from "./memory/buffer-samples.ts";
export { type TextureSamplesOptions, textureSamples } from "./memory/texture-samples.ts";
// From the files themselves: what leads through a door leads to all that is behind it, GPU types that a program lacks, too.
export type { BackendOptions } from "./options.ts";
export type { CeilingOptions, ReadRow } from "./run/ceiling.ts";
