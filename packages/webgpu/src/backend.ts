import { type Backend, checkObject, type Device, PolybinError, type Slug } from "@polybin/core";
import { deviceLimits, requiredLimits, wantedFeatures } from "./capabilities.ts";
import { WebgpuDevice } from "./device.ts";
import type { FindGpu, GpuLease } from "./gpu.ts";
import { Hardware } from "./hardware.ts";
import { nameOf } from "./name.ts";

export interface WebgpuOptions {
  /** Count on this device, within the limits that it was requested with. It stays yours: `close` leaves it alone. */
  readonly device?: GPUDevice | undefined;
  /** Which adapter, where there are several. Default: high-performance. */
  readonly powerPreference?: GPUPowerPreference | undefined;
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
  const { device, powerPreference = "high-performance" } = options;
  return {
    id: "webgpu",
    algorithms: KERNELS,
    probe: async () => {
      if (device !== undefined) return { available: true, device: nameOf(device.adapterInfo) };
      const found = await findAdapter(find, powerPreference);
      if (typeof found === "string") return { available: false, reason: found };
      found.lease.release();
      return { available: true, device: nameOf(found.adapter.info) };
    },
    open: async (): Promise<Device> => {
      if (device !== undefined)
        return new WebgpuDevice(new Hardware(device, () => {}), deviceLimits(device.limits));
      const found = await findAdapter(find, powerPreference);
      if (typeof found === "string") throw new PolybinError("ERR_UNAVAILABLE", found, { backend: "webgpu" });
      const { adapter, lease } = found;
      try {
        const own = await adapter.requestDevice({
          requiredLimits: requiredLimits(adapter.limits),
          requiredFeatures: wantedFeatures(adapter.features),
        });
        const release = () => {
          own.destroy();
          lease.release();
        };
        return new WebgpuDevice(new Hardware(own, release), deviceLimits(own.limits));
      } catch (cause) {
        lease.release();
        throw new PolybinError("ERR_UNAVAILABLE", `the WebGPU adapter gave no device: ${messageOf(cause)}`, {
          backend: "webgpu",
          cause,
        });
      }
    },
  };
}

interface FoundAdapter {
  readonly lease: GpuLease;
  readonly adapter: GPUAdapter;
}

async function findAdapter(
  find: FindGpu,
  powerPreference: GPUPowerPreference,
): Promise<FoundAdapter | string> {
  const lease = await find();
  if (typeof lease === "string") return lease;
  try {
    const adapter = await lease.gpu.requestAdapter({ powerPreference });
    if (adapter !== null) return { lease, adapter };
    lease.release();
    return "WebGPU has no adapter here: no GPU, or no driver for it";
  } catch (error) {
    lease.release();
    return `WebGPU has no adapter here: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
