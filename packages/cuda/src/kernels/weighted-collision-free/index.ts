import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

const { COLLISION_FREE_WARPS, UNROLL_MAX } = limits;

export const kernel = sumsKernel(weightedAlgorithms["weighted-collision-free"], {
  own: {
    /** Documents that a thread reads before it adds the first. */
    unroll: { least: 1, most: UNROLL_MAX },
  },
  of: ({ parameters }) => ({ unroll: Number(parameters.unroll) }),
  constants: { COLLISION_FREE_WARPS },
});
