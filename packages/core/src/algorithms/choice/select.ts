import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import type { Algorithm, ChannelsPlan, PlanRequest } from "../../plan/index.ts";
import { planOrReason } from "./planning.ts";

/** Returns the plan of the first algorithm that this device can run, those that are best for the request first, then by rank in `preferred` and in list order. */
export function selectPlan(
  request: Omit<PlanRequest, "algorithm" | "parameters"> & Pick<PlanRequest, "parameters">,
  limits: DeviceLimits,
  has: readonly Algorithm[],
  refuses: (plan: ChannelsPlan) => string | null,
): ChannelsPlan {
  const place = (algorithm: Algorithm) =>
    algorithm.isBest?.(request, limits)
      ? 0
      : (algorithm.preferred?.[limits.kind] ?? Number.POSITIVE_INFINITY);
  const reasons: string[] = [];
  for (const { slug } of byPlace(has, place)) {
    const found = planOrReason({ ...request, algorithm: slug }, limits, has);
    const reason = typeof found === "string" ? found : refuses(found);
    if (reason === null) return found as ChannelsPlan;
    reasons.push(reason);
  }
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `no algorithm of this backend can count this: ${reasons.join("; ")}`,
  );
}

/** Sorts by rank, lowest first, and keeps the order of equal ranks. */
export function byPlace<T>(all: readonly T[], place: (of: T) => number): T[] {
  // Subtracting two infinities would give NaN.
  return all.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) < place(b) ? -1 : 1));
}
