import type { Backend } from "@polybin/core";
import { backendOver } from "./backend.ts";
import type { BackendOptions } from "./options.ts";
import { navigatorAdapter } from "./platform/index.ts";

/**
 * Returns a backend with WGSL kernels on `navigator.gpu`. If a page has none, `probe` says why.
 * @throws ERR_INPUT if an option is wrong.
 */
export function webgpu(options: BackendOptions = {}): Backend {
  return backendOver(() => navigatorAdapter, options);
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
