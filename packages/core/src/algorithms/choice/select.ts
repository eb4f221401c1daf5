import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import type { Plan, PlanRequest, Slug } from "../../plan/index.ts";
import { planOrReason } from "./planning.ts";
import { algorithms } from "./registry.ts";

/**
 * What `auto` tries, best first, by kind of device. From measurements: docs/notes holds them.
 * - cpu: one table. `multithreaded` starts its threads anew for each call, which takes longer than 100 MB of
 *   counting (who wants threads takes a worker pool); the others are simulations.
 * - workers, gpu: per-lane is the fastest on every distribution and does not depend on the data.
 */
const PREFERENCE: Readonly<Record<DeviceLimits["kind"], readonly Slug[]>> = {
  cpu: ["sequential"],
  workers: ["per-lane", "per-thread"],
  gpu: ["per-lane", "per-warp", "global"],
};

/** The plan of the first algorithm in the preference that this device has and can run. */
export function selectPlan(
  request: Omit<PlanRequest, "algorithm">,
  limits: DeviceLimits,
  has: readonly Slug[],
  refuses: (plan: Plan) => string | null,
): Plan {
  const reasons: string[] = [];
  for (const algorithm of [...PREFERENCE[limits.kind], ...has]) {
    if (!has.includes(algorithm)) continue;
    const found = planOrReason({ ...request, algorithm }, limits);
    const reason = typeof found === "string" ? found : refuses(found);
    if (reason === null) return found as Plan;
    reasons.push(reason);
  }
  throw new PolybinError("ERR_UNSUPPORTED", `no algorithm of this backend can: ${reasons.join("; ")}`);
}

/** Is this the name of an algorithm? */
export function isSlug(value: unknown): value is Slug {
  return typeof value === "string" && Object.hasOwn(algorithms, value);
}
