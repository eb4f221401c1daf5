import type { SumsOptions, WeightingOptions } from "./weighting-options.ts";

export const WEIGHTING_NAMES: readonly (keyof WeightingOptions)[] = [
  "algorithm",
  "precision",
  "squares",
  "signal",
  "onProgress",
];

export const SUMS_NAMES: readonly (keyof SumsOptions)[] = [
  "features",
  "documents",
  "counts",
  "skip",
  "limbs",
];

/** Names that are taken: no parameter of a weighted algorithm can have them. */
export const WEIGHED_NAMES: readonly string[] = [
  ...WEIGHTING_NAMES,
  ...SUMS_NAMES,
  "channel",
  "weights",
  "timings",
  "axis",
  "bins",
  "range",
];
