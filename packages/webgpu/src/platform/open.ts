import { type DawnOptions, failure } from "../base/index.ts";
import { requiredLimits, wantedFeatures } from "./capabilities.ts";
import type { FindAdapter } from "./gpu.ts";
import { Hardware } from "./hardware.ts";

/** Opens the user's device, or a device with all limits that the adapter offers. @throws ERR_UNAVAILABLE */
export async function openHardware(find: FindAdapter, options: DawnOptions): Promise<Hardware> {
  const { device } = options;
  if (device !== undefined) {
    const reason = await lossOf(device);
    if (reason === null) return new Hardware(device, () => {});
    throw failure("ERR_UNAVAILABLE", reason);
  }
  const adapter = await findAdapter(find, options);
  if (typeof adapter === "string") throw failure("ERR_UNAVAILABLE", adapter);
  try {
    const own = await adapter.requestDevice({
      requiredLimits: requiredLimits(adapter.limits),
      requiredFeatures: wantedFeatures(adapter.features),
    });
    return new Hardware(own, () => own.destroy());
  } catch (cause) {
    throw failure("ERR_UNAVAILABLE", `the WebGPU adapter gave no device: ${messageOf(cause)}`, cause);
  }
}

/** Returns why a user's device is lost, or null. */
export async function lossOf(device: GPUDevice): Promise<string | null> {
  // If the device is already lost, the promise has settled. One turn of the event loop is enough to learn that.
  const turn = new Promise<null>((resolve) => setTimeout(resolve, 0, null));
  const info = await Promise.race([device.lost, turn]);
  return info === null
    ? null
    : `the WebGPU device in the option \`device\` is lost (${info.message || info.reason})`;
}

export async function findAdapter(
  find: FindAdapter,
  { powerPreference = "high-performance" }: DawnOptions,
): Promise<GPUAdapter | string> {
  try {
    return await find({ powerPreference });
  } catch (error) {
    return `WebGPU has no adapter here: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
