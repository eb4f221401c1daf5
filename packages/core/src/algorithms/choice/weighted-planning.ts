import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import {
  checkedParameters,
  type SumsPlan,
  type WeightedAlgorithm,
  type WeightedRequest,
  weightedPlanBy,
} from "../../plan/index.ts";
import { weightedAlgorithms } from "../generated/registry.ts";

/**
 * Returns the plan of a method on a device, or a sentence that states why there is none.
 * @param of the methods that may be named; default: all of core's.
 * @throws ERR_UNSUPPORTED for an unknown method.
 * @throws ERR_INPUT for an invalid parameter.
 */
export function weightedPlanOrReason(
  method: string,
  request: WeightedRequest,
  limits: DeviceLimits,
  of: readonly WeightedAlgorithm[] = Object.values(weightedAlgorithms),
): SumsPlan | string {
  const algorithm = of.find(({ slug }) => slug === method);
  if (algorithm === undefined) {
    throw new PolybinError("ERR_UNSUPPORTED", `${method} is not the name of a weighted algorithm`);
  }
  const parameters = checkedParameters(algorithm, request.parameters ?? {}, of);
  return weightedPlanBy(algorithm, parameters, request, limits);
}

/**
 * Returns the plan of a method. @throws ERR_UNSUPPORTED if the device cannot run it; ERR_INPUT for an invalid
 * parameter.
 */
export function weightedPlan(
  method: string,
  request: WeightedRequest,
  limits: DeviceLimits,
  of?: readonly WeightedAlgorithm[],
): SumsPlan {
  const found = weightedPlanOrReason(method, request, limits, of);
  if (typeof found !== "string") return found;
  throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: method });
}
