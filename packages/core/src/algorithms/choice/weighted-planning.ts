import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import {
  checkedParameters,
  type WeightedAlgorithm,
  type WeightedPlan,
  type WeightedRequest,
  weightedPlanBy,
} from "../../plan/index.ts";
import { weightedAlgorithms } from "../generated/registry.ts";

/**
 * The plan of a method on a device, or the sentence that says why there is none.
 * @param of the methods that it may name; default: those of the papers and ours
 * @throws ERR_UNSUPPORTED for a name that is none of theirs; ERR_INPUT for a parameter
 */
export function weightedPlanOrReason(
  method: string,
  request: WeightedRequest,
  limits: DeviceLimits,
  of: readonly WeightedAlgorithm[] = Object.values(weightedAlgorithms),
): WeightedPlan | string {
  const algorithm = of.find(({ slug }) => slug === method);
  if (algorithm === undefined) {
    throw new PolybinError("ERR_UNSUPPORTED", `${method} is the name of no weighted algorithm`);
  }
  const parameters = checkedParameters(algorithm, request.parameters ?? {}, of);
  return weightedPlanBy(algorithm, parameters, request, limits);
}

/** The plan of a method. @throws ERR_UNSUPPORTED where the device cannot; ERR_INPUT for a wrong parameter. */
export function weightedPlan(
  method: string,
  request: WeightedRequest,
  limits: DeviceLimits,
  of?: readonly WeightedAlgorithm[],
): WeightedPlan {
  const found = weightedPlanOrReason(method, request, limits, of);
  if (typeof found !== "string") return found;
  throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: method });
}
