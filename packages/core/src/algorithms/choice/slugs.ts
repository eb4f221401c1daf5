import {
  algorithms,
  composedAlgorithms,
  type Slug,
  type WeightedSlug,
  weightedAlgorithms,
} from "../generated/registry.ts";

/** The unweighted slugs. */
export const SLUGS: readonly Slug[] = Object.keys(algorithms) as Slug[];

/** The weighted slugs. */
export const WEIGHTED_SLUGS: readonly WeightedSlug[] = [
  ...Object.keys(weightedAlgorithms),
  ...Object.keys(composedAlgorithms),
] as WeightedSlug[];
