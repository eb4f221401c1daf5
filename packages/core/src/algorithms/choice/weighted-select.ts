import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import type { SumsPlan, WeightedAlgorithm, WeightedRequest } from "../../plan/index.ts";
import { byPlace } from "./select.ts";
import { weightedPlanOrReason } from "./weighted-planning.ts";

/**
 * Returns the plan of the first method that this device can run, by rank in `preference` and then in list order.
 * @throws ERR_UNSUPPORTED, ERR_INPUT
 */
export function selectWeightedPlan(
  request: WeightedRequest,
  limits: DeviceLimits,
  has: readonly WeightedAlgorithm[],
  refuses: (plan: SumsPlan) => string | null,
): SumsPlan {
  const place = (method: WeightedAlgorithm) =>
    method.preference?.(request, limits.kind) ?? Number.POSITIVE_INFINITY;
  const reasons: string[] = [];
  for (const { slug } of byPlace(has, place)) {
    const found = weightedPlanOrReason(slug, request, limits, has);
    const reason = typeof found === "string" ? found : refuses(found);
    if (reason === null) return found as SumsPlan;
    reasons.push(reason);
  }
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `no weighted algorithm of this backend can add this up: ${reasons.join("; ")}`,
  );
}
