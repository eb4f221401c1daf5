import type { ComposedAlgorithm, ParameterRule, WeightedAlgorithm } from "../plan/index.ts";
import { algorithm as collision } from "./weighted-collision.ts";
import { algorithm as collisionFree } from "./weighted-collision-free.ts";
import { algorithm as collisionReduced } from "./weighted-collision-reduced.ts";

/**
 * Chooses the best of three algorithms for each feature (Tables 1 and 7). In a first round each adds up all features,
 * and the times decide. The measurement pays because the same features are added up repeatedly. So the number of bins
 * from which atomics pay, which Table 7 states for a GTX 580, is measured on every device. This algorithm has no kernel
 * of its own: core assigns the features to the kernels of the three.
 */
export const algorithm: ComposedAlgorithm = {
  slug: "weighted-hybrid",
  title: "the best of three algorithms for each feature, by a measured first round",
  source: "Xu et al., 4.5 Hybrid Method, Tables 1 and 7",
  parameters: withoutDefaults(collisionFree, collision, collisionReduced),
  candidates: () => [collisionFree.slug, collision.slug, collisionReduced.slug],
};

/** Merges the parameters of several algorithms, without defaults, because each algorithm has its own. */
function withoutDefaults(...all: readonly WeightedAlgorithm[]): Record<string, ParameterRule> {
  const rules = all.flatMap(({ parameters }) => Object.entries<ParameterRule>(parameters));
  return Object.fromEntries(rules.map(([name, rule]) => [name, { ...rule, default: undefined }]));
}
