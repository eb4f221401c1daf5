import type { DeviceLaunch, Json } from "@polybin/core/backend";
import type { Grid } from "../../kernels/index.ts";
import type { Kernel } from "../../platform/index.ts";

/** Describes a kernel, the numbers that it is compiled for, and its grid. */
export function described(
  { label, consts = {}, constants }: Kernel,
  grid?: Grid,
): { readonly [name: string]: Json } {
  const sizes = grid && { grid: grid.map((size) => size ?? 1) };
  return { name: label, constants: { ...consts, ...constants }, ...sizes };
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
