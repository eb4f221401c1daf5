export { checkRequest, plan, planOrReason } from "./choice/planning.ts";
export { algorithms, SLUGS, WEIGHTED_SLUGS, weightedAlgorithms } from "./choice/registry.ts";
export { isSlug, selectPlan } from "./choice/select.ts";
export { checkedWeightedParameters, weightedPlan, weightedPlanOrReason } from "./choice/weighted-planning.ts";
export { isWeightedSlug, selectWeightedPlan } from "./choice/weighted-select.ts";
export { choiceOf, describeChoice, type HybridChoice, weightedHybrid } from "./weighted-hybrid.ts";
