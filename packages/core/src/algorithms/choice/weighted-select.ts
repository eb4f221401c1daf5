import { type DeviceLimits, PolybinError, SMALL_BINS } from "../../base/index.ts";
import type { WeightedMethod, WeightedPlan, WeightedRequest, WeightedSlug } from "../../plan/index.ts";
import { WEIGHTED_SLUGS } from "./registry.ts";
import { weightedPlanOrReason } from "./weighted-planning.ts";

/**
 * What `auto` tries, best first. Integers: a table a bank is the fastest on every distribution (measured: docs/weighted.md).
 * Floats: what the paper found safe whatever the data.
 */
function preference(
  { precision, bins }: WeightedRequest,
  kind: DeviceLimits["kind"],
): readonly WeightedMethod[] {
  if (kind === "cpu") return ["weighted-sequential"];
  if (precision === "reproducible") return ["weighted-fixed-point"];
  return bins <= SMALL_BINS
    ? ["weighted-collision-free", "weighted-collision-reduced"]
    : ["weighted-collision-reduced", "weighted-collision-free"];
}

/** The plan of the first method in the preference that this device has and can run. @throws ERR_UNSUPPORTED, ERR_INPUT */
export function selectWeightedPlan(
  request: WeightedRequest,
  limits: DeviceLimits,
  has: readonly WeightedSlug[],
  refuses: (plan: WeightedPlan) => string | null,
): WeightedPlan {
  const reasons: string[] = [];
  const methods = has.filter((slug) => slug !== "weighted-hybrid");
  for (const method of [...preference(request, limits.kind), ...methods]) {
    if (!has.includes(method)) continue;
    const found = weightedPlanOrReason(method, request, limits);
    const reason = typeof found === "string" ? found : refuses(found);
    if (reason === null) return found as WeightedPlan;
    reasons.push(reason);
  }
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `no weighted algorithm of this backend can: ${reasons.join("; ")}`,
  );
}

/** Is this the name of a weighted algorithm? */
export function isWeightedSlug(value: unknown): value is WeightedSlug {
  return (WEIGHTED_SLUGS as readonly unknown[]).includes(value);
}
