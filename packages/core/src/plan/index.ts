export type { Algorithm, LaunchRequest, LaunchRule } from "./algorithm.ts";
export {
  checkedParameters,
  describeParameters,
  type GivenParameters,
  type ParameterRule,
  type ParameterRules,
  type ParameterValues,
} from "./parameters.ts";
export { describePlan, type Launch, type Plan, planBy } from "./plan.ts";
export { type PlanColumn, type PlanRequest, withoutKernel } from "./request.ts";
export {
  type ComposedAlgorithm,
  isComposed,
  isMethod,
  type WeightedAlgorithm,
  type WeightedInput,
  type WeightedLaunchRequest,
  type WeightedLaunchRule,
} from "./weighted-algorithm.ts";
export {
  describeWeightedPlan,
  type WeightedLaunch,
  type WeightedPlan,
  type WeightedRequest,
  weightedPlanBy,
} from "./weighted-plan.ts";
