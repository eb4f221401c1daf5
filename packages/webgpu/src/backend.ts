import type { Backend, Probe } from "@polybin/core";
import { checkNames, type Device, expected, ownOptions } from "@polybin/core/backend";
import { checkedOptions, type DawnOptions, NAMES } from "./base/index.ts";
import { WebgpuDevice } from "./device.ts";
import { Catalog, type WebgpuKernel } from "./kernels/index.ts";
import type { BackendOptions } from "./options.ts";
import {
  type Described,
  deviceLimits,
  type FindAdapter,
  findAdapter,
  isSoftware,
  lossOf,
  nameOf,
  openHardware,
} from "./platform/index.ts";

/** Returns a backend that finds its adapter with `finder`. @throws ERR_INPUT if an option is wrong. */
export function backendOver(finder: (options: DawnOptions) => FindAdapter, given: BackendOptions): Backend {
  checkNames(given, [...NAMES, "kernels"]);
  const { kernels = [], ...rest } = ownOptions(given);
  const options = checkedOptions(rest);
  if (!Array.isArray(kernels) || !kernels.every(isKernel)) {
    throw expected("ERR_INPUT", "kernels", "an array of kernels, each with a kind and an algorithm", kernels);
  }
  const catalog = new Catalog(kernels);
  const find = finder(options);
  const { device } = options;
  return {
    id: "webgpu",
    algorithms: catalog.counting,
    weighted: catalog.weighted,
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
      return new WebgpuDevice(hardware, deviceLimits(hardware.device), catalog);
    },
  };
}

function present(adapter: Described): Probe {
  return { available: true, device: nameOf(adapter.info), software: isSoftware(adapter) };
}

function isKernel(value: unknown): boolean {
  const { kind, algorithm } = (value ?? {}) as Partial<WebgpuKernel>;
  return ["count", "sums", "composed"].includes(kind!) && typeof algorithm?.slug === "string";
}
