import { type Backend, PolybinError, type Probe, type Slug, type WeightedSlug } from "@polybin/core";
import type { Device } from "@polybin/core/backend";
import { deviceLimits, requiredLimits, wantedFeatures } from "./capabilities.ts";
import { WebgpuDevice } from "./device.ts";
import type { FindAdapter } from "./gpu.ts";
import { Hardware } from "./hardware.ts";
import { nameOf } from "./name.ts";
import { checkedOptions, type DawnOptions } from "./options.ts";
import { type Described, isSoftware } from "./software.ts";

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

/** The weighted ones. */
const WEIGHTED: readonly WeightedSlug[] = [
  "weighted-fixed-point",
  "weighted-collision-free",
  "weighted-collision",
  "weighted-collision-reduced",
  "weighted-hybrid",
];

/** A backend over a way to an adapter. @throws ERR_INPUT for wrong options. */
export function backendOver(find: FindAdapter, given: DawnOptions): Backend {
  const options = checkedOptions(given);
  const { device } = options;
  return {
    id: "webgpu",
    algorithms: KERNELS,
    weighted: WEIGHTED,
    probe: async () => {
      if (device !== undefined) {
        const reason = await lossOf(device);
        return reason === null ? present({ info: device.adapterInfo }) : { available: false, reason };
      }
      const found = await findAdapter(find, options);
      return typeof found === "string" ? { available: false, reason: found } : present(found);
    },
    open: async (): Promise<Device> => {
      const hardware = await openHardware(find, options);
      return new WebgpuDevice(hardware, deviceLimits(hardware.device));
    },
  };
}

/** The user's device, or one of an adapter's with all that it has. @throws ERR_UNAVAILABLE */
export async function openHardware(find: FindAdapter, options: DawnOptions): Promise<Hardware> {
  const { device } = options;
  if (device !== undefined) {
    const reason = await lossOf(device);
    if (reason === null) return new Hardware(device, () => {});
    throw new PolybinError("ERR_UNAVAILABLE", reason, { backend: "webgpu" });
  }
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

function present(adapter: Described): Probe {
  return { available: true, device: nameOf(adapter.info), software: isSoftware(adapter) };
}

/** Why a user's device is lost, or null. */
async function lossOf(device: GPUDevice): Promise<string | null> {
  // Of a device that was lost before, the promise has settled: a turn of the event loop is enough to learn it.
  const turn = new Promise<null>((resolve) => setTimeout(resolve, 0, null));
  const info = await Promise.race([device.lost, turn]);
  return info === null
    ? null
    : `the WebGPU device that was handed in is lost (${info.message || info.reason})`;
}

async function findAdapter(
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
