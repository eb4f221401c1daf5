import type { DeviceLaunch, Json } from "@polybin/core/backend";
import type { Kernel } from "../platform/index.ts";

/** Describes a kernel and the numbers that it is compiled for. */
export function described({ label, consts = {}, constants }: Kernel): { readonly [name: string]: Json } {
  return { name: label, constants: { ...consts, ...constants } };
}

/** Freezes a description of what the device will do, with everything in it. */
export function frozen(of: DeviceLaunch): DeviceLaunch {
  for (const value of Object.values(of)) freeze(value);
  return Object.freeze(of);
}

function freeze(of: Json): void {
  if (typeof of !== "object" || of === null) return;
  for (const value of Object.values(of)) freeze(value as Json);
  Object.freeze(of);
}
