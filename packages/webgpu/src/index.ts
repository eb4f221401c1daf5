import type { Backend } from "@polybin/core";
import { backendOver } from "./backend.ts";
import type { DawnOptions } from "./base/index.ts";
import { findDawn } from "./dawn/index.ts";
import type { BackendOptions } from "./options.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./run/ceiling.ts";

/**
 * Returns a backend with WGSL kernels on Dawn (from the package `webgpu`) or on the runtime's own `navigator.gpu`. The
 * import needs neither a GPU nor Dawn; `probe` reports what is missing.
 * @throws ERR_INPUT if an option is wrong.
 */
export function webgpu(options: BackendOptions = {}): Backend {
  return backendOver(({ dawn = [] }) => findDawn(dawn), options);
}

/**
 * Measures how fast a device reads its own memory, once for each way of reading. The kernels do nothing but read, so
 * the best result bounds the throughput of a histogram of resident samples. The device times the rounds. Dawn rounds
 * its times unless you turn its toggle `timestamp_quantization` off.
 * @throws ERR_INPUT if an option is wrong.
 * @throws ERR_UNAVAILABLE if there is no device or it reports no times.
 * @throws ERR_OUT_OF_MEMORY if the device has no room for the bytes.
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
// These come from the files themselves: an index would pull in everything behind it, including GPU types that your
// program may lack.
export type { BackendOptions } from "./options.ts";
export type { CeilingOptions, ReadRow } from "./run/ceiling.ts";
