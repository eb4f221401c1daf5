import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import {
  type Algorithm,
  type ChannelsPlan,
  checkedParameters,
  type PlanRequest,
  planBy,
} from "../../plan/index.ts";
import { algorithms } from "../generated/registry.ts";

/**
 * Returns the plan of a request on a device, or a sentence that states why there is none.
 * @param of the algorithms that the request may name; default: all of core's.
 * @throws ERR_UNSUPPORTED for an unknown algorithm.
 * @throws ERR_INPUT for an invalid parameter.
 */
export function planOrReason(
  request: PlanRequest,
  limits: DeviceLimits,
  of: readonly Algorithm[] = Object.values(algorithms),
): ChannelsPlan | string {
  const algorithm = of.find(({ slug }) => slug === request.algorithm);
  if (algorithm === undefined) {
    throw new PolybinError("ERR_UNSUPPORTED", `${request.algorithm} is not the name of an algorithm`);
  }
  const parameters = checkedParameters(algorithm, request.parameters ?? {}, of);
  return planBy(algorithm, parameters, request, limits);
}

/**
 * Returns the plan of a request. @throws ERR_UNSUPPORTED if the device cannot run it; ERR_INPUT for an invalid
 * parameter.
 */
export function plan(request: PlanRequest, limits: DeviceLimits, of?: readonly Algorithm[]): ChannelsPlan {
  const found = planOrReason(request, limits, of);
  if (typeof found !== "string") return found;
  throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: request.algorithm });
}
