import { type DeviceLimits, PolybinError } from "../../base/index.ts";
import {
  type Algorithm,
  type CellsPlan,
  checkedParameters,
  type JointRequest,
  jointPlanBy,
} from "../../plan/index.ts";
import { algorithms } from "../generated/registry.ts";
import { byPlace } from "./select.ts";

/**
 * Returns the plan of a request over several columns, or a sentence that states why there is none.
 * @param of the algorithms that the request may name.
 * @throws ERR_UNSUPPORTED for an unknown algorithm.
 * @throws ERR_INPUT for an invalid parameter.
 */
export function jointPlanOrReason(
  slug: string,
  request: JointRequest,
  limits: DeviceLimits,
  of: readonly Algorithm[] = Object.values(algorithms),
): CellsPlan | string {
  const algorithm = of.find((one) => one.slug === slug);
  if (algorithm === undefined) {
    throw new PolybinError("ERR_UNSUPPORTED", `${slug} is not the name of an algorithm`);
  }
  const parameters = checkedParameters(algorithm, request.parameters ?? {}, of);
  return jointPlanBy(algorithm, parameters, request, limits);
}

/**
 * Returns the plan of the first algorithm that this device can run: those that find cells and count them in one pass, by
 * rank, then the others. @throws ERR_UNSUPPORTED if there is none; ERR_INPUT for an invalid parameter.
 */
export function selectJointPlan(
  request: JointRequest,
  limits: DeviceLimits,
  has: readonly Algorithm[],
  refuses: (plan: CellsPlan) => string | null,
): CellsPlan {
  const { kind } = limits;
  const other = has.length + 1;
  const place = ({ joint, preferred }: Algorithm) =>
    joint?.preferred?.[kind] ?? other + (preferred?.[kind] ?? Number.POSITIVE_INFINITY);
  const reasons: string[] = [];
  for (const { slug } of byPlace(has, place)) {
    const found = jointPlanOrReason(slug, request, limits, has);
    const reason = typeof found === "string" ? found : refuses(found);
    if (reason === null) return found as CellsPlan;
    reasons.push(reason);
  }
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `no algorithm of this backend can count this: ${reasons.join("; ")}`,
  );
}
