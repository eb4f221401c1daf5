import { type Backend, checkObject, type Device, PolybinError, type Slug } from "@polybin/core";
import { deviceLimits, requiredLimits, wantedFeatures } from "./capabilities.ts";
import { WebgpuDevice } from "./device.ts";
import type { FindGpu } from "./gpu.ts";
import { Hardware } from "./hardware.ts";
import { nameOf } from "./name.ts";

export interface WebgpuOptions {
  /** Count on this device, within the limits that it was requested with. It stays yours: `close` leaves it alone. */
  readonly device?: GPUDevice | undefined;
  /** Which adapter, where there are several. Default: high-performance. */
  readonly powerPreference?: GPUPowerPreference | undefined;
  /** May it be an adapter that computes on the CPU? That is slow, and good for tests. Default yes. */
  readonly fallback?: boolean | undefined;
}

/** The slugs that have a kernel in src/kernels. */
const KERNELS: readonly Slug[] = [
  "per-lane",
  "trish",
  "per-warp",
  "per-thread-64",
  "per-thread",
  "privatized",
  "bank-owned",
  "global",
  "per-block",
];

/** A backend over a way to WebGPU. */
export function backendOver(find: FindGpu, options: WebgpuOptions): Backend {
  checkObject(options);
  const { device } = options;
  return {
    id: "webgpu",
    algorithms: KERNELS,
    probe: async () => {
      if (device !== undefined) return { available: true, device: nameOf(device.adapterInfo) };
      const found = await findAdapter(find, options);
      if (typeof found === "string") return { available: false, reason: found };
      return { available: true, device: nameOf(found.info) };
    },
    open: async (): Promise<Device> => {
      const hardware = await openHardware(find, options);
      return new WebgpuDevice(hardware, deviceLimits(hardware.device));
    },
  };
}

/** The user's device, or one of an adapter's with all that it has. @throws ERR_UNAVAILABLE */
export async function openHardware(find: FindGpu, options: WebgpuOptions): Promise<Hardware> {
  if (options.device !== undefined) return new Hardware(options.device, () => {});
  const adapter = await findAdapter(find, options);
  if (typeof adapter === "string") throw new PolybinError("ERR_UNAVAILABLE", adapter, { backend: "webgpu" });
  try {
    const own = await adapter.requestDevice({
      requiredLimits: requiredLimits(adapter.limits),
      requiredFeatures: wantedFeatures(adapter.features),
    });
    return new Hardware(own, () => own.destroy());
  } catch (cause) {
    throw new PolybinError("ERR_UNAVAILABLE", `the WebGPU adapter gave no device: ${messageOf(cause)}`, {
      backend: "webgpu",
      cause,
    });
  }
}

async function findAdapter(
  find: FindGpu,
  { powerPreference = "high-performance", fallback = true }: WebgpuOptions,
): Promise<GPUAdapter | string> {
  const gpu = await find();
  if (typeof gpu === "string") return gpu;
  try {
    const adapter = await gpu.requestAdapter({ powerPreference });
    if (adapter === null) return "WebGPU has no adapter here: no GPU, or no driver for it";
    return adapter.info.isFallbackAdapter && !fallback
      ? `WebGPU has only an adapter here that computes on the CPU: ${nameOf(adapter.info)}`
      : adapter;
  } catch (error) {
    return `WebGPU has no adapter here: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
