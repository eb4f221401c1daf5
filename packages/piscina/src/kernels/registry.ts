// Made by scripts/generate.mjs: change what it is made from, and build.
import type { AnyKernel } from "./lib/kernel.ts";
import { kernel as global } from "./global/index.ts";
import { kernel as perLane } from "./per-lane/index.ts";
import { kernel as perThread } from "./per-thread/index.ts";
import { kernel as perWarp } from "./per-warp/index.ts";
import { kernel as trish } from "./trish/index.ts";
import { kernel as weightedCollision } from "./weighted-collision/index.ts";
import { kernel as weightedCollisionFree } from "./weighted-collision-free/index.ts";
import { kernel as weightedCollisionReduced } from "./weighted-collision-reduced/index.ts";
import { kernel as weightedFixedPoint } from "./weighted-fixed-point/index.ts";

/** The kernel of each folder. */
export const registry: readonly AnyKernel[] = [global, perLane, perThread, perWarp, trish, weightedCollision, weightedCollisionFree, weightedCollisionReduced, weightedFixedPoint];
