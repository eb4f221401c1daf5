import type { Backend } from "@polybin/core";
import { type BackendOptions, backendOver } from "./backend.ts";
import { type DawnOptions, navigatorAdapter } from "./platform/index.ts";
import { type CeilingOptions, type ReadRow, readRows } from "./run/index.ts";

/** WGSL kernels on `navigator.gpu`. `probe` says why a page has none. @throws ERR_INPUT for wrong options. */
export function webgpu(options: BackendOptions = {}): Backend {
  return backendOver(() => navigatorAdapter, options);
}

/** How fast a device reads its own memory, each way that is tried, as Node's entry says. */
export async function readCeiling(options: CeilingOptions & DawnOptions): Promise<ReadRow[]> {
  return readRows(() => navigatorAdapter, options);
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
