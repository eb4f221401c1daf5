export const WEIGHTING_NAMES = ["algorithm", "precision", "squares", "signal", "onProgress"] as const;

export const SUMS_NAMES = ["features", "documents", "counts", "skip", "limbs"] as const;

/** Names that the options already use. No parameter of a weighted algorithm can have one of them. */
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
