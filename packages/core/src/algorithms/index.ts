import type { Algorithm, Slug } from "../plan.ts";
import { bankOwned } from "./bank-owned.ts";
import { global } from "./global.ts";
import { multithreaded } from "./multithreaded.ts";
import { perBlock } from "./per-block.ts";
import { perLane } from "./per-lane.ts";
import { perThread } from "./per-thread.ts";
import { perThread64 } from "./per-thread-64.ts";
import { perWarp } from "./per-warp.ts";
import { privatized } from "./privatized.ts";
import { sequential } from "./sequential.ts";
import { trish } from "./trish.ts";

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
