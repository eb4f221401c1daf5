export type { Algorithm, LaunchRequest, Reference } from "./algorithm.ts";
export {
  describeJointPlan,
  type JointColumnPlan,
  type JointPlan,
  type JointRequest,
  jointPlanBy,
  type MaskKind,
} from "./joint-plan.ts";
export type { JointLaunchRequest, JointLaunchRule, JointRule, JointTable } from "./joint-rule.ts";
export type { Launch, LaunchRule, Partials } from "./launch.ts";
export * as limits from "./limits.ts";
export { MAX_CELLS, MAX_JOINT_COLUMNS, MAX_SUMS_BINS, MAX_TABLE_CELLS } from "./limits.ts";
export {
  checkedParameters,
  type GivenParameters,
  type ParameterRule,
  type ParameterRules,
  type ParameterValues,
} from "./parameters.ts";
export { describePlan, type Plan, planBy, rawShift } from "./plan.ts";
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
export type { WeightedLaunch, WeightedPlan, WeightedRequest } from "./weighted-launch.ts";
export { describeWeightedPlan, weightedPlanBy } from "./weighted-plan.ts";
