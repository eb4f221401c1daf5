import { checkNames } from "@polybin/core/backend";
import type { DeviceMemory } from "../border/index.ts";
import { checkedWhole, coded } from "./errors.ts";
import { loaded } from "./loader.ts";

/**
 * Allocates page-locked host memory. Samples in it are copied to the device at the full speed of the bus. The memory
 * belongs to the process, not to an engine, and is freed when it is collected.
 * @throws ERR_INPUT if `bytes` is not a number of bytes.
 * @throws ERR_UNAVAILABLE without the addon or a device.
 * @throws ERR_OUT_OF_MEMORY if the host cannot lock the pages.
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
 * Returns a device's total and free memory, in bytes. Memory of other processes is not free.
 * @throws ERR_INPUT for an unknown option or a wrong device number.
 * @throws ERR_UNAVAILABLE without the addon or the device.
 * @throws ERR_DEVICE_LOST if the device is lost.
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
