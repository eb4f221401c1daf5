import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import { type Algorithm, type Plan, type PlanRequest, withoutKernel } from "../../plan/index.ts";
import { planOrReason } from "./planning.ts";

/** The plan of the first algorithm, by their places in `preferred` and then as they come, that this device can run. */
export function selectPlan(
  request: Omit<PlanRequest, "algorithm" | "parameters"> & Pick<PlanRequest, "parameters">,
  limits: DeviceLimits,
  has: readonly Algorithm[],
  refuses: (plan: Plan) => string | null,
): Plan {
  const missing = withoutKernel(request);
  if (missing !== null) throw new PolybinError("ERR_UNSUPPORTED", missing);
  const place = ({ preferred }: Algorithm) => preferred?.[limits.kind] ?? Number.POSITIVE_INFINITY;
  const reasons: string[] = [];
  for (const { slug } of byPlace(has, place)) {
    const found = planOrReason({ ...request, algorithm: slug }, limits, has);
    const reason = typeof found === "string" ? found : refuses(found);
    if (reason === null) return found as Plan;
    reasons.push(reason);
  }
  throw new PolybinError("ERR_UNSUPPORTED", `no algorithm of this backend can: ${reasons.join("; ")}`);
}

/** The least place first; of the same place, as they come. */
export function byPlace<T>(all: readonly T[], place: (of: T) => number): T[] {
  // Infinities are not to be subtracted from one another.
  return all.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) < place(b) ? -1 : 1));
}
