// Made from the files of src/algorithms by scripts/registry.mjs: change them, and build.
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "../../plan/index.ts";
import { algorithm as bankOwned } from "../bank-owned.ts";
import { algorithm as global } from "../global.ts";
import { algorithm as multithreaded } from "../multithreaded.ts";
import { algorithm as perBlock } from "../per-block.ts";
import { algorithm as perLane } from "../per-lane.ts";
import { algorithm as perThread } from "../per-thread.ts";
import { algorithm as perThread64 } from "../per-thread-64.ts";
import { algorithm as perWarp } from "../per-warp.ts";
import { algorithm as privatized } from "../privatized.ts";
import { algorithm as sequential } from "../sequential.ts";
import { algorithm as trish } from "../trish.ts";
import { algorithm as weightedCollision } from "../weighted-collision.ts";
import { algorithm as weightedCollisionFree } from "../weighted-collision-free.ts";
import { algorithm as weightedCollisionReduced } from "../weighted-collision-reduced.ts";
import { algorithm as weightedFixedPoint } from "../weighted-fixed-point.ts";
import { algorithm as weightedHybrid } from "../weighted-hybrid.ts";
import { algorithm as weightedSequential } from "../weighted-sequential.ts";

/** The unweighted algorithms, by the names they have in every backend. */
export type Slug =
  | "bank-owned"
  | "global"
  | "multithreaded"
  | "per-block"
  | "per-lane"
  | "per-thread"
  | "per-thread-64"
  | "per-warp"
  | "privatized"
  | "sequential"
  | "trish";

/** The weighted algorithms that add something up: what a plan names, and a device has a kernel for. */
export type WeightedMethod =
  | "weighted-collision"
  | "weighted-collision-free"
  | "weighted-collision-reduced"
  | "weighted-fixed-point"
  | "weighted-sequential";

/** All weighted algorithms; a composed one chooses one of the others for each feature. */
export type WeightedSlug = WeightedMethod
  | "weighted-hybrid";

/** Parameters that some algorithms take. */
export interface Parameters {
  /** per-warp: how equal bins of one warp are kept apart. */
  readonly collisions?: "atomic" | "tag" | undefined;
  /** privatized: merge now and then, or launch so many blocks that no counter can overflow. */
  readonly merge?: "periodic" | "avoid" | undefined;
  /** privatized: where a thread's counters lie (CUDA Handbook, Figures 4 to 6). */
  readonly layout?: "row" | "column" | "interleaved" | undefined;
  /** trish: words that a thread bins before it looks whether its rows must be summed, 1 to 63. */
  readonly k?: number | undefined;
}

/** Parameters that some weighted algorithms take. */
export interface WeightedParameters {
  /** weighted-collision, weighted-collision-reduced, weighted-hybrid: warps a block (N_warp), 1 to 32. */
  readonly warps?: number | undefined;
  /** weighted-collision, weighted-collision-free, weighted-hybrid: documents that a thread reads before it adds (N_unroll), 1 to 32. */
  readonly unroll?: number | undefined;
  /** weighted-collision-reduced, weighted-hybrid: units of a thread's buffer (N_buffer), 1 to 64. */
  readonly buffer?: number | undefined;
}

export const PARAMETER_NAMES: readonly (keyof Parameters)[] = ["collisions","merge","layout","k"];
export const WEIGHTED_PARAMETER_NAMES: readonly (keyof WeightedParameters)[] = ["warps","unroll","buffer"];

/** Every unweighted algorithm by its slug. */
export const algorithms: Readonly<Record<Slug, Algorithm>> = {
  "bank-owned": bankOwned,
  "global": global,
  "multithreaded": multithreaded,
  "per-block": perBlock,
  "per-lane": perLane,
  "per-thread": perThread,
  "per-thread-64": perThread64,
  "per-warp": perWarp,
  "privatized": privatized,
  "sequential": sequential,
  "trish": trish,
};

/** Every weighted algorithm that adds something up, by its slug. */
export const weightedAlgorithms: Readonly<Record<WeightedMethod, WeightedAlgorithm>> = {
  "weighted-collision": weightedCollision,
  "weighted-collision-free": weightedCollisionFree,
  "weighted-collision-reduced": weightedCollisionReduced,
  "weighted-fixed-point": weightedFixedPoint,
  "weighted-sequential": weightedSequential,
};

/** Every weighted algorithm without a kernel of its own, by its slug. */
export const composedAlgorithms: Readonly<Record<Exclude<WeightedSlug, WeightedMethod>, ComposedAlgorithm>> = {
  "weighted-hybrid": weightedHybrid,
};
