import { type Backend, checkObject } from "@polybin/core";
import { backendOver, type WebgpuOptions } from "./backend.ts";
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

export type { WebgpuOptions } from "./backend.ts";
export { type BufferSamplesOptions, bufferSamples } from "./buffer-samples.ts";
export { type TextureSamplesOptions, textureSamples } from "./texture-samples.ts";
