import type { Backend } from "@polybin/core";
import { type BackendOptions, backendOver } from "./backend.ts";
import { findDawn } from "./dawn/index.ts";
import type { DawnOptions } from "./platform/index.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./run/index.ts";

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

export type { BackendOptions } from "./backend.ts";
export type { Composed, CountKernel, CountShape, Stage, SumsKernel, WebgpuKernel } from "./kernels/index.ts";
export {
  type BufferSamplesOptions,
  bufferSamples,
  type TextureSamplesOptions,
  textureSamples,
} from "./memory/index.ts";
export type { DawnOptions, WebgpuLimits, WebgpuOptions } from "./platform/index.ts";
export type { CeilingOptions, ReadRow } from "./run/index.ts";
