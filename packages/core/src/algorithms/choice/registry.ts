import type { Algorithm, Slug, WeightedAlgorithm, WeightedMethod, WeightedSlug } from "../../plan/index.ts";
import { bankOwned } from "../bank-owned.ts";
import { global } from "../global.ts";
import { multithreaded } from "../multithreaded.ts";
import { perBlock } from "../per-block.ts";
import { perLane } from "../per-lane.ts";
import { perThread } from "../per-thread.ts";
import { perThread64 } from "../per-thread-64.ts";
import { perWarp } from "../per-warp.ts";
import { privatized } from "../privatized.ts";
import { sequential } from "../sequential.ts";
import { trish } from "../trish.ts";
import { weightedCollision } from "../weighted-collision.ts";
import { weightedCollisionFree } from "../weighted-collision-free.ts";
import { weightedCollisionReduced } from "../weighted-collision-reduced.ts";
import { weightedFixedPoint } from "../weighted-fixed-point.ts";
import { weightedHybrid } from "../weighted-hybrid.ts";
import { weightedSequential } from "../weighted-sequential.ts";

/** Every unweighted algorithm by its slug. */
export const algorithms: Readonly<Record<Slug, Algorithm>> = {
  sequential,
  multithreaded,
  global,
  "per-block": perBlock,
  "per-warp": perWarp,
  "per-thread-64": perThread64,
  "per-thread": perThread,
  privatized,
  trish,
  "bank-owned": bankOwned,
  "per-lane": perLane,
};

/** The slugs, in the order of the documentation. */
export const SLUGS: readonly Slug[] = Object.keys(algorithms) as Slug[];

/** Every weighted algorithm that adds something up, by its slug. */
export const weightedAlgorithms: Readonly<Record<WeightedMethod, WeightedAlgorithm>> = {
  "weighted-sequential": weightedSequential,
  "weighted-collision-free": weightedCollisionFree,
  "weighted-collision": weightedCollision,
  "weighted-collision-reduced": weightedCollisionReduced,
  "weighted-fixed-point": weightedFixedPoint,
};

/** The weighted slugs, in the order of the documentation. */
export const WEIGHTED_SLUGS: readonly WeightedSlug[] = [
  ...(Object.keys(weightedAlgorithms) as WeightedMethod[]),
  weightedHybrid.slug,
];
