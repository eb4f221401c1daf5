import { selectWeightedPlan, weightedPlanOrReason } from "../../algorithms/index.ts";
import type { Device } from "../../backend/index.ts";
import { PolybinError, type Talk } from "../../base/index.ts";
import type { WeightedMethod, WeightedPlan, WeightedRequest, WeightedSlug } from "../../plan/index.ts";

/** A device with tables. */
export type TableDevice = Device & Required<Pick<Device, "uploadTable" | "sums">>;

/** What a table needs of the engine that made it. */
export interface TableHost {
  readonly backend: string;
  readonly device: TableDevice;
  readonly weighted: readonly WeightedSlug[];
  run<P, T>(talk: Talk<P>, work: (talk: Talk<P>) => Promise<T>): Promise<T>;
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
  const found = planOrReasonOn(host, method, request);
  if (typeof found === "string") throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: method });
  return found;
}

/** The same, or why there is no plan. @throws ERR_UNSUPPORTED where the host does not have the method; ERR_INPUT */
export function planOrReasonOn(
  host: TableHost,
  method: WeightedMethod,
  request: WeightedRequest,
): WeightedPlan | string {
  checkHas(host, method);
  const found = weightedPlanOrReason(method, request, host.device.limits);
  if (typeof found === "string") return found;
  return host.device.refusesSums?.(found) ?? found;
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
