import {
  algorithms,
  composedAlgorithms,
  type Slug,
  type WeightedSlug,
  weightedAlgorithms,
} from "../generated/registry.ts";

/** Slugs of the unweighted algorithms. */
export const SLUGS: readonly Slug[] = Object.keys(algorithms) as Slug[];

/** Slugs of the weighted algorithms. */
export const WEIGHTED_SLUGS: readonly WeightedSlug[] = [
  ...Object.keys(weightedAlgorithms),
  ...Object.keys(composedAlgorithms),
] as WeightedSlug[];
