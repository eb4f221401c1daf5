import { type Backend, checkObject } from "@polybin/core";
import { backendOver, type WebgpuOptions } from "./backend.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./ceiling.ts";
import { navigatorGpu } from "./gpu.ts";

/** What Node's entry takes, so that one program fits both: a page has no Dawn to give flags to. */
export interface DawnOptions extends WebgpuOptions {
  readonly dawn?: readonly string[] | undefined;
}

/** WGSL kernels on `navigator.gpu`. `probe` says why a page has none. */
export function webgpu(options: DawnOptions = {}): Backend {
  checkObject(options);
  return backendOver(navigatorGpu, options);
}

/** How fast a device reads its own memory, each way that is tried, as Node's entry says. */
export function readCeiling({ bytes, rounds, ...options }: CeilingOptions & DawnOptions): Promise<ReadRow[]> {
  return readRows(navigatorGpu, options, { bytes, rounds });
}

export type { WebgpuOptions } from "./backend.ts";
export { type BufferSamplesOptions, bufferSamples } from "./buffer-samples.ts";
export type { CeilingOptions, ReadRow } from "./ceiling.ts";
export { type TextureSamplesOptions, textureSamples } from "./texture-samples.ts";
