import type { Backend } from "@polybin/core";
import { backendOver } from "./backend.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./ceiling.ts";
import { findDawn } from "./dawn.ts";
import { checkedOptions, type DawnOptions } from "./options.ts";

/**
 * WGSL kernels on Dawn, from the package `webgpu`, or on the runtime's own `navigator.gpu`. Importing it needs neither
 * GPU nor Dawn; `probe` says what is missing.
 * @throws ERR_INPUT for wrong options.
 */
export function webgpu(options: DawnOptions = {}): Backend {
  return backendOver(findDawn(checkedOptions(options).dawn ?? []), options);
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

export { type BufferSamplesOptions, bufferSamples } from "./buffer-samples.ts";
export type { CeilingOptions, ReadRow } from "./ceiling.ts";
export type { DawnOptions, WebgpuOptions } from "./options.ts";
export { type TextureSamplesOptions, textureSamples } from "./texture-samples.ts";
