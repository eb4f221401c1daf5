export type { Algorithm, LaunchRequest, Reference } from "./algorithm.ts";
export {
  type CellsPlan,
  type JointColumnPlan,
  type JointRequest,
  jointPlanBy,
  type MaskKind,
} from "./cells-plan.ts";
export { type ChannelsPlan, planBy, rawShift } from "./channels-plan.ts";
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
export { describePlan, type Plan } from "./plan.ts";
export type { PlanColumn, PlanRequest } from "./request.ts";
export { weightedPlanBy } from "./sums-plan.ts";
export {
  type ComposedAlgorithm,
  isComposed,
  isMethod,
  type WeightedAlgorithm,
  type WeightedInput,
  type WeightedLaunchRequest,
  type WeightedLaunchRule,
} from "./weighted-algorithm.ts";
export type { SumsPlan, WeightedLaunch, WeightedRequest } from "./weighted-launch.ts";
