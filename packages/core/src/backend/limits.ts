import { limits as algorithms } from "../algorithms/index.ts";
import { limits as axis } from "../axis/index.ts";
import { limits as base } from "../base/index.ts";
import { limits as input } from "../input/index.ts";
import { limits as lowering } from "../lowering/index.ts";
import { limits as plan } from "../plan/index.ts";
import { limits as weights } from "../weights/index.ts";

/**
 * Every number that bounds a counter, a table or a launch, and the arithmetic on them, by name. Each stands with its owner:
 * what is true of one algorithm in the algorithm's file, of a room in the room's limits.ts, of all in base.
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
