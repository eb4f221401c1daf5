import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

const { COLLISION_FREE_WARPS, UNROLL_MAX } = limits;

export const kernel = sumsKernel(weightedAlgorithms["weighted-collision-free"], {
  own: {
    /** Whether a thread fetches words of values. */
    words: "bool",
    /** Documents that a thread reads before it adds the first: whole fetches. */
    unroll: { least: 1, most: UNROLL_MAX },
  },
  of: ({ parameters }) => ({ words: parameters.fetch === "word", unroll: Number(parameters.unroll) }),
  constants: { COLLISION_FREE_WARPS },
});
