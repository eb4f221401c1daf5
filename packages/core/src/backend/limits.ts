import { limits as algorithms } from "../algorithms/index.ts";
import { limits as axis } from "../axis/index.ts";
import { limits as base } from "../base/index.ts";
import { limits as input } from "../input/index.ts";
import { limits as lowering } from "../lowering/index.ts";
import { limits as plan } from "../plan/index.ts";
import { limits as weights } from "../weights/index.ts";

/**
 * All numbers that bound counters, tables and launches, and the arithmetic on them, by name. Each is defined by its
 * owner: an algorithm's file, a room's limits.ts, or base.
 */
export const limits: typeof base &
  typeof input &
  typeof axis &
  typeof weights &
  typeof lowering &
  typeof plan &
  typeof algorithms = Object.freeze({
  ...base,
  ...input,
  ...axis,
  ...weights,
  ...lowering,
  ...plan,
  ...algorithms,
});
