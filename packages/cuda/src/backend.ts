import { type Backend, isPolybinError, PolybinError, type Slug } from "@polybin/core";
import { type Device, type DeviceLimits, limits } from "@polybin/core/backend";
import { type Choice, type CudaOptions, chooseDevices, wantedDevices } from "./choice.ts";
import { CudaDevice } from "./device.ts";
import { loaded } from "./loader.ts";
import type { Native, NativeDevice } from "./native.ts";
import { WEIGHTED_KERNELS } from "./sums.ts";

/** The slugs that have a kernel in native/kernels. */
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

/**
 * Kernels for NVIDIA GPUs in a Node addon. Importing it needs neither driver nor GPU; `probe` says what is
 * missing. Of several devices each holds and counts a part of the samples; they must be alike.
 * @throws ERR_INPUT for another option, or what are no numbers of devices.
 */
export function cuda(options: CudaOptions = {}): Backend {
  const wanted = wantedDevices(options);
  /** @throws ERR_UNAVAILABLE, ERR_UNSUPPORTED */
  const find = async (): Promise<Choice & { readonly native: Native }> => {
    const native = loaded();
    const devices = await native.devices();
    if (typeof devices === "string") {
      throw new PolybinError("ERR_UNAVAILABLE", `no CUDA device: ${devices}`, { backend: "cuda" });
    }
    return { native, ...chooseDevices(wanted, devices) };
  };
  return {
    id: "cuda",
    algorithms: KERNELS,
    weighted: WEIGHTED_KERNELS,
    probe: async () => {
      try {
        return { available: true, device: (await find()).name };
      } catch (error) {
        if (!isPolybinError(error)) throw error;
        return { available: false, reason: error.message };
      }
    },
    open: async (): Promise<Device> => {
      const { native, numbers, name, like } = await find();
      return new CudaDevice(
        name,
        limitsOf(like),
        numbers.map((number) => new native.Context(number, options.exactTimings === true)),
      );
    },
  };
}

function limitsOf(of: NativeDevice): DeviceLimits {
  return {
    kind: "gpu",
    units: of.units,
    warp: of.warp,
    banks: limits.WARP_THREADS,
    sharedBytes: of.sharedBytes,
    blockThreads: of.blockThreads,
    unit: {
      threads: of.unitThreads,
      blocks: of.unitBlocks,
      sharedBytes: of.unitSharedBytes,
      reservedBytes: of.reservedBytes,
    },
    chunkSamples: limits.U32_MAX,
  };
}
