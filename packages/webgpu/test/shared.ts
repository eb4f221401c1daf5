import type { Backend } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";

/**
 * How the tests open Dawn. SwiftShader compiles a zeroed workgroup array as a store for each of its words, which
 * takes it seconds a kernel; a loop, as drivers without that extension get, takes it a tenth.
 */
export const DAWN: readonly string[] = [
  "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension",
];

export const backend = (): Backend => webgpu({ dawn: DAWN });

/** Why there is nothing to test on, or null. */
export async function absence(): Promise<string | null> {
  const probe = await backend().probe();
  return probe.available ? null : probe.reason;
}

/** Where a user's devices come from: it must not be collected as long as anything of them is there. */
let gpu: GPU | null = null;

/** A device as a program of its own would have it, with the default limits. */
export async function userDevice(): Promise<GPUDevice> {
  const { create } = await import("webgpu");
  gpu ??= create([...DAWN]);
  const adapter = await gpu.requestAdapter();
  return adapter!.requestDevice();
}
