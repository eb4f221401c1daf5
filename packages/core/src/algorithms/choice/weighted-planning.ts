import { checkedBy, type DeviceLimits, PolybinError } from "../../base/index.ts";
import {
  WEIGHTED_PARAMETER_RULES,
  type WeightedMethod,
  type WeightedParameters,
  type WeightedPlan,
  type WeightedRequest,
  type WeightedSlug,
  weightedPlanBy,
} from "../../plan/index.ts";
import { weightedAlgorithms } from "./registry.ts";

/** The plan of a method on a device, or the sentence that says why there is none. @throws ERR_INPUT for a parameter. */
export function weightedPlanOrReason(
  method: WeightedMethod,
  request: WeightedRequest,
  limits: DeviceLimits,
): WeightedPlan | string {
  const algorithm = weightedAlgorithms[method];
  return weightedPlanBy(algorithm, checkedWeightedParameters(algorithm, request), request, limits);
}

/** The plan of a method. @throws ERR_UNSUPPORTED where the device cannot; ERR_INPUT for a wrong parameter. */
export function weightedPlan(
  method: WeightedMethod,
  request: WeightedRequest,
  limits: DeviceLimits,
): WeightedPlan {
  const found = weightedPlanOrReason(method, request, limits);
  if (typeof found !== "string") return found;
  throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: method });
}

/** The given parameters of an algorithm. @throws ERR_INPUT for one that it does not take or out of range. */
export function checkedWeightedParameters(
  algorithm: { readonly slug: WeightedSlug; readonly parameters: Readonly<WeightedParameters> },
  { buffer, unroll, warps }: WeightedParameters,
): WeightedParameters {
  return checkedBy(WEIGHTED_PARAMETER_RULES, Object.values(weightedAlgorithms), algorithm, {
    buffer,
    unroll,
    warps,
  });
}
