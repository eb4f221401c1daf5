import type { Backend } from "@polybin/core";
import { backendOver } from "./backend.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./ceiling.ts";
import { navigatorAdapter } from "./gpu.ts";
import type { DawnOptions } from "./options.ts";

/** WGSL kernels on `navigator.gpu`. `probe` says why a page has none. @throws ERR_INPUT for wrong options. */
export function webgpu(options: DawnOptions = {}): Backend {
  return backendOver(navigatorAdapter, options);
}

/** How fast a device reads its own memory, each way that is tried, as Node's entry says. */
export async function readCeiling(options: CeilingOptions & DawnOptions): Promise<ReadRow[]> {
  return readRows(() => navigatorAdapter, options);
}

export { type BufferSamplesOptions, bufferSamples } from "./buffer-samples.ts";
export type { CeilingOptions, ReadRow } from "./ceiling.ts";
export type { DawnOptions, WebgpuOptions } from "./options.ts";
export { type TextureSamplesOptions, textureSamples } from "./texture-samples.ts";
