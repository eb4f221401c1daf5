import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

export const kernel = sumsKernel(weightedAlgorithms["weighted-collision"], {
  own: {
    /** Documents that a thread reads before it adds the first. */
    unroll: { least: 1, most: limits.UNROLL_MAX },
  },
  of: ({ parameters }) => ({ unroll: Number(parameters.unroll) }),
});
