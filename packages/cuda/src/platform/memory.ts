import { checkNames } from "@polybin/core/backend";
import type { DeviceMemory } from "../border/index.ts";
import { checkedWhole, coded } from "./errors.ts";
import { loaded } from "./loader.ts";

/**
 * Bytes of page-locked host memory: samples in it are copied to the device at the full speed of the bus. It is the
 * process's, not an engine's, and is given back when it is collected.
 * @throws ERR_INPUT for what is no number of bytes; ERR_UNAVAILABLE without the addon or a device; ERR_OUT_OF_MEMORY.
 */
export function pinned(bytes: number): Uint8Array {
  const size = checkedWhole(bytes, "bytes", 0);
  const native = loaded();
  try {
    return new Uint8Array(native.pinned(size));
  } catch (error) {
    throw coded(error);
  }
}

/**
 * What a device's memory comes to, in bytes; what other processes took is not free.
 * @throws ERR_INPUT for another option, or what is no number of a device; ERR_UNAVAILABLE without the addon or the device;
 * ERR_DEVICE_LOST.
 */
export async function deviceMemory(options: { readonly device?: number } = {}): Promise<DeviceMemory> {
  checkNames(options, ["device"]);
  const { device = 0 } = options;
  const number = checkedWhole(device, "device", 0);
  try {
    return await loaded().memory(number);
  } catch (error) {
    throw coded(error);
  }
}
