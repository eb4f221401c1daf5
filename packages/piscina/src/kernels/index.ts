import type { Slug } from "@polybin/core";
import { global } from "./global.ts";
import type { Kernel } from "./kernel.ts";
import { perLane } from "./per-lane.ts";
import { perThread } from "./per-thread.ts";
import { perWarp } from "./per-warp.ts";
import { trish } from "./trish.ts";

/** The kernels of a worker, by their algorithms' slugs. */
export const kernels: Readonly<Partial<Record<Slug, Kernel>>> = {
  "per-lane": perLane,
  "per-thread": perThread,
  "per-warp": perWarp,
  trish,
  global,
};

/** The slugs that this backend has. */
export const KERNELS: readonly Slug[] = Object.keys(kernels) as Slug[];
