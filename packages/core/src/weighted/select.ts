import { WEIGHTED_SLUGS } from "../algorithms/index.ts";
import type { Device } from "../backend.ts";
import { PolybinError } from "../errors.ts";
import { SMALL_BINS } from "../limits.ts";
import type { DeviceLimits } from "../plan.ts";
import type { Talk } from "../progress.ts";
import {
  type WeightedMethod,
  type WeightedPlan,
  type WeightedRequest,
  type WeightedSlug,
  weightedPlanOrReason,
} from "./plan.ts";

/** A device with tables. */
export type TableDevice = Device & Required<Pick<Device, "uploadTable" | "sums">>;

/** What a table needs of the engine that made it. */
export interface TableHost {
  readonly backend: string;
  readonly device: TableDevice;
  readonly weighted: readonly WeightedSlug[];
  run<P, T>(talk: Talk<P>, work: (talk: Talk<P>) => Promise<T>): Promise<T>;
}

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

/** The plan of a method on a host. @throws ERR_UNSUPPORTED where it does not have it or cannot; ERR_INPUT for a parameter */
export function planOn(
  host: TableHost,
  method: WeightedMethod | "auto",
  request: WeightedRequest,
): WeightedPlan {
  const { device, weighted } = host;
  const refuses = (plan: WeightedPlan) => device.refusesSums?.(plan) ?? null;
  if (method === "auto") return selectWeightedPlan(request, device.limits, weighted, refuses);
  checkHas(host, method);
  const found = weightedPlanOrReason(method, request, device.limits);
  const reason = typeof found === "string" ? found : refuses(found);
  if (reason !== null) throw new PolybinError("ERR_UNSUPPORTED", reason, { algorithm: method });
  return found as WeightedPlan;
}

/** @throws ERR_UNSUPPORTED unless the backend claims the slug. */
export function checkHas({ backend, weighted }: TableHost, slug: WeightedSlug): void {
  if (weighted.includes(slug)) return;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${backend} has no kernel for ${slug}; it has ${weighted.join(", ")}`,
    { algorithm: slug },
  );
}

/** Is this the name of a weighted algorithm? */
export function isWeightedSlug(value: unknown): value is WeightedSlug {
  return (WEIGHTED_SLUGS as readonly unknown[]).includes(value);
}
