export { jointPlanOrReason, selectJointPlan } from "./choice/joint.ts";
export { plan, planOrReason } from "./choice/planning.ts";
export { selectPlan } from "./choice/select.ts";
export { SLUGS, WEIGHTED_SLUGS } from "./choice/slugs.ts";
export { weightedPlan, weightedPlanOrReason } from "./choice/weighted-planning.ts";
export { selectWeightedPlan } from "./choice/weighted-select.ts";
export type { FusedTable } from "./fused.ts";
export * as limits from "./generated/limits.ts";
export { references } from "./generated/references.ts";
export {
  type AlgorithmParameters,
  algorithms,
  composedAlgorithms,
  PARAMETER_NAMES,
  type Slug,
  type SumsParameters,
  WEIGHTED_PARAMETER_NAMES,
  type WeightedMethod,
  type WeightedSlug,
  weightedAlgorithms,
} from "./generated/registry.ts";
export { weightedReferences } from "./generated/weighted-references.ts";
export { documentsPerFetchOf } from "./lib/fetch.ts";
export { choicesOf, describeChoice, type HybridChoice } from "./lib/hybrid-choice.ts";
export { WORKER_WIDE_LANES } from "./lib/limits.ts";
export type { SegmentGrid } from "./lib/segment-launch.ts";
export type { LaneTables, WorkerTables } from "./per-lane.ts";
