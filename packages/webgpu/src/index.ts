import { type Backend, checkObject } from "@polybin/core";
import { backendOver, type WebgpuOptions } from "./backend.ts";
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

export type { WebgpuOptions } from "./backend.ts";
export { type BufferSamplesOptions, bufferSamples } from "./buffer-samples.ts";
export { type TextureSamplesOptions, textureSamples } from "./texture-samples.ts";
