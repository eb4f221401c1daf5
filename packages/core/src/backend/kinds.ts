import type { Device } from "./device.ts";
import type { Kind } from "./jobs.ts";

const ONLY_CHANNELS: readonly Kind[] = ["channels"];

/** Returns the kinds of jobs that a device has kernels for. */
export function kindsOf({ kinds = ONLY_CHANNELS }: Pick<Device, "kinds">): readonly Kind[] {
  return kinds;
}
