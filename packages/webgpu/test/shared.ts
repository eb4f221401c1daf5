import type { Backend } from "@polybin/core";
import { platformProblem } from "@polybin/testbed/archives";
import { DAWN } from "@polybin/testbed/dawn";
import { webgpu } from "@polybin/webgpu";

export { DAWN };

export const backend = (): Backend => webgpu({ dawn: DAWN });

/** Must there be a device? The project's own install brings Dawn and SwiftShader for this platform, or for none. */
export const REQUIRED: boolean = platformProblem() === null;

/** Why there is nothing to test on, or null. @throws where there must be something. */
export async function absence(): Promise<string | null> {
  const probe = await backend().probe();
  return probe.available ? null : allowed(probe.reason);
}

/** The reason of a skip, where one is allowed. @throws the reason where what is missing came with the install. */
export function allowed(reason: string, required: boolean = REQUIRED): string {
  if (required) throw new Error(`the project's install brings Dawn and SwiftShader here, and yet: ${reason}`);
  return reason;
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
