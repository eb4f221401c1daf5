import { type Backend, isPolybinError, PolybinError } from "@polybin/core";
import { type Device, ownOptions } from "@polybin/core/backend";
import type { Native } from "./border/index.ts";
import { CudaDevice } from "./device.ts";
import { countAlgorithms, sumsAlgorithms } from "./kernels/index.ts";
import {
  type Choice,
  type CudaOptions,
  chooseDevices,
  deviceLimits,
  loaded,
  wantedDevices,
} from "./platform/index.ts";

/**
 * Returns a backend with kernels for NVIDIA GPUs in a Node addon. The import needs neither a driver nor a GPU; `probe`
 * reports what is missing. With several devices, each holds and counts a part of the samples; the devices must be
 * alike.
 * @throws ERR_INPUT for an unknown option, or for values that are no numbers of devices.
 */
export function cuda(options: CudaOptions = {}): Backend {
  const own = ownOptions(options);
  const wanted = wantedDevices(own);
  /** @throws ERR_UNAVAILABLE, ERR_UNSUPPORTED */
  const find = async (): Promise<Choice & { readonly native: Native }> => {
    if (typeof SharedArrayBuffer === "undefined") {
      const message = "this process has no SharedArrayBuffer, through which CUDA reports its progress";
      throw new PolybinError("ERR_UNAVAILABLE", message, { backend: "cuda" });
    }
    const native = loaded();
    const devices = await native.devices();
    if (typeof devices === "string") {
      throw new PolybinError("ERR_UNAVAILABLE", `no CUDA device: ${devices}`, { backend: "cuda" });
    }
    return { native, ...chooseDevices(wanted, devices) };
  };
  return {
    id: "cuda",
    algorithms: countAlgorithms,
    weighted: sumsAlgorithms,
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
        deviceLimits(like),
        numbers.map((number) => new native.Context(number, own.exactTimings === true)),
        { timed: own.exactTimings === true, pinned: (bytes) => native.pinned(bytes) },
      );
    },
  };
}
