import { type Backend, checkObject } from "@polybin/core";
import { backendOver, type WebgpuOptions } from "./backend.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./ceiling.ts";
import { findDawn } from "./dawn.ts";

export interface DawnOptions extends WebgpuOptions {
  /** Flags of Dawn, as its `create` takes them: `["enable-dawn-features=allow_unsafe_apis"]`. */
  readonly dawn?: readonly string[] | undefined;
}

/**
 * WGSL kernels on Dawn, from the package `webgpu`, or on the runtime's own `navigator.gpu`. Importing it needs neither
 * GPU nor Dawn; `probe` says what is missing.
 */
export function webgpu(options: DawnOptions = {}): Backend {
  checkObject(options);
  return backendOver(findDawn(options.dawn ?? []), options);
}

/**
 * How fast a device reads its own memory by kernels that do nothing else, each way that is tried: what a histogram
 * of resident samples could reach at most. Rounds are timed on the device; Dawn rounds its times unless its toggle
 * `timestamp_quantization` is off.
 * @throws ERR_INPUT for a wrong option; ERR_UNAVAILABLE where there is no device or it tells no times;
 * ERR_OUT_OF_MEMORY.
 */
export function readCeiling({ bytes, rounds, ...options }: CeilingOptions & DawnOptions): Promise<ReadRow[]> {
  return readRows(findDawn(options.dawn ?? []), options, { bytes, rounds });
}

export type { WebgpuOptions } from "./backend.ts";
export { type BufferSamplesOptions, bufferSamples } from "./buffer-samples.ts";
export type { CeilingOptions, ReadRow } from "./ceiling.ts";
export { type TextureSamplesOptions, textureSamples } from "./texture-samples.ts";
