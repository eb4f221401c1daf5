import type { ComposedAlgorithm, ParameterRule, WeightedAlgorithm } from "../plan/index.ts";
import { SMALL_BINS } from "./lib/limits.ts";
import { algorithm as collision } from "./weighted-collision.ts";
import { algorithm as collisionFree } from "./weighted-collision-free.ts";
import { algorithm as collisionReduced } from "./weighted-collision-reduced.ts";

/**
 * For each feature the best of three (Tables 1 and 7): few bins take weighted-collision-free; of the other two the one
 * that was faster in the first round, which is worth it because the same features are added up again and again. It has
 * no kernel of its own: core deals the features out to the kernels of the three.
 */
export const algorithm: ComposedAlgorithm = {
  slug: "weighted-hybrid",
  title: "for each feature the best of the three, by its bins and a measured first round",
  source: "Xu et al., 4.5 Hybrid Method, Tables 1 and 7",
  parameters: withoutDefaults(collisionFree, collision, collisionReduced),
  candidates: (bins) => (bins <= SMALL_BINS ? [collisionFree.slug] : [collision.slug, collisionReduced.slug]),
};

/** The parameters of several algorithms together; what each of them has by default is its own affair. */
function withoutDefaults(...all: readonly WeightedAlgorithm[]): Record<string, ParameterRule> {
  const rules = all.flatMap(({ parameters }) => Object.entries<ParameterRule>(parameters));
  return Object.fromEntries(rules.map(([name, rule]) => [name, { ...rule, default: undefined }]));
}
