import type { Backend } from "@polybin/core";
import { platformProblem } from "@polybin/testbed/archives";
import { DAWN } from "@polybin/testbed/dawn";
import { webgpu } from "@polybin/webgpu";

export { DAWN };

export const backend = (): Backend => webgpu({ dawn: DAWN });

/** Whether a device must exist. The project's install brings Dawn and SwiftShader for this platform, or for none. */
export const REQUIRED: boolean = platformProblem() === null;

/** Returns why there is no device to test on, or null if there is one. @throws if a device must exist */
export async function absence(): Promise<string | null> {
  const probe = await backend().probe();
  return probe.available ? null : allowed(probe.reason);
}

/**
 * Returns the reason of a skip if skipping is allowed. @throws the reason if the missing part belongs to the install
 */
export function allowed(reason: string, required: boolean = REQUIRED): string {
  if (required) throw new Error(`the project's install brings Dawn and SwiftShader here, and yet: ${reason}`);
  return reason;
}

/** The source of a user's devices. It must not be collected while any of their objects exist. */
let gpu: GPU | null = null;

/** A device with the default limits, as a program creates it. */
export async function userDevice(): Promise<GPUDevice> {
  const { create } = await import("webgpu");
  gpu ??= create([...DAWN]);
  const adapter = await gpu.requestAdapter();
  return adapter!.requestDevice();
}
