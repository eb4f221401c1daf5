import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import { type Algorithm, checkedParameters, type Plan, type PlanRequest, planBy } from "../../plan/index.ts";
import { algorithms } from "../generated/registry.ts";

/**
 * The plan of a request on a device, or the sentence that says why there is none.
 * @param of the algorithms that it may name; default: those of the papers and ours
 * @throws ERR_UNSUPPORTED for a name that is none of theirs; ERR_INPUT for a parameter
 */
export function planOrReason(
  request: PlanRequest,
  limits: DeviceLimits,
  of: readonly Algorithm[] = Object.values(algorithms),
): Plan | string {
  const algorithm = of.find(({ slug }) => slug === request.algorithm);
  if (algorithm === undefined) {
    throw new PolybinError("ERR_UNSUPPORTED", `${request.algorithm} is the name of no algorithm`);
  }
  const parameters = checkedParameters(algorithm, request.parameters ?? {}, of);
  return planBy(algorithm, parameters, request, limits);
}

/** The plan of a request. @throws ERR_UNSUPPORTED where the device cannot; ERR_INPUT for a wrong parameter. */
export function plan(request: PlanRequest, limits: DeviceLimits, of?: readonly Algorithm[]): Plan {
  const found = planOrReason(request, limits, of);
  if (typeof found !== "string") return found;
  throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm: request.algorithm });
}
