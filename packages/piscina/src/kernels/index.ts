import type { Slug, WeightedSlug } from "@polybin/core";
import type { WeightedMethod } from "@polybin/core/backend";
import { global } from "./global.ts";
import type { Kernel } from "./kernel.ts";
import { perLane } from "./per-lane.ts";
import { perThread } from "./per-thread.ts";
import { perWarp } from "./per-warp.ts";
import { trish } from "./trish.ts";
import type { WeightedKernel } from "./weighted.ts";
import { weightedCollision } from "./weighted-collision.ts";
import { weightedCollisionFree } from "./weighted-collision-free.ts";
import { weightedCollisionReduced } from "./weighted-collision-reduced.ts";
import { weightedFixedPoint } from "./weighted-fixed-point.ts";

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

/** The weighted kernels of a worker. */
export const weightedKernels: Readonly<Partial<Record<WeightedMethod, WeightedKernel>>> = {
  "weighted-collision-free": weightedCollisionFree,
  "weighted-collision": weightedCollision,
  "weighted-collision-reduced": weightedCollisionReduced,
  "weighted-fixed-point": weightedFixedPoint,
};

/** The weighted slugs that this backend has; the hybrid chooses from three of them. */
export const WEIGHTED_KERNELS: readonly WeightedSlug[] = [
  ...(Object.keys(weightedKernels) as WeightedMethod[]),
  "weighted-hybrid",
];
