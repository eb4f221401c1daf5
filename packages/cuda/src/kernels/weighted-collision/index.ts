import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

export const kernel = sumsKernel(weightedAlgorithms["weighted-collision"], {
  own: {
    /** Whether a thread fetches words of values. */
    words: "bool",
    /** Documents that a thread reads before it adds the first: whole fetches. */
    unroll: { least: 1, most: limits.UNROLL_MAX },
  },
  of: ({ parameters }) => ({ words: parameters.fetch === "word", unroll: Number(parameters.unroll) }),
});
