import { checkNames } from "@polybin/core/backend";
import type { DeviceMemory } from "../border/index.ts";
import { checkedWhole, coded } from "./errors.ts";
import { loaded } from "./loader.ts";

/**
 * Allocates page-locked host memory. Samples in it are copied to the device at the full speed of the bus. The memory
 * belongs to the process, not to an engine, and is freed when it is collected.
 * @throws ERR_INPUT if `bytes` is no number of bytes; ERR_UNAVAILABLE without the addon or a device; ERR_OUT_OF_MEMORY.
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
 * @throws ERR_INPUT for an unknown option or a wrong number of a device; ERR_UNAVAILABLE without the addon or the
 * device; ERR_DEVICE_LOST.
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
