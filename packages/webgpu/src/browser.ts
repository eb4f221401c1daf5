import type { Backend } from "@polybin/core";
import { backendOver } from "./backend.ts";
import type { DawnOptions } from "./base/index.ts";
import type { BackendOptions } from "./options.ts";
import { navigatorAdapter } from "./platform/index.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./run/ceiling.ts";

/** WGSL kernels on `navigator.gpu`. `probe` says why a page has none. @throws ERR_INPUT for wrong options. */
export function webgpu(options: BackendOptions = {}): Backend {
  return backendOver(() => navigatorAdapter, options);
}

/** How fast a device reads its own memory, each way that is tried, as Node's entry says. */
export async function readCeiling(options: CeilingOptions & DawnOptions): Promise<ReadRow[]> {
  return readRows(() => navigatorAdapter, options);
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
