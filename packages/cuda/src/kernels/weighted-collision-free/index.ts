import { limits } from "@polybin/core";
import { sumsKernel } from "../descriptor.ts";

const { COLLISION_FREE_WARPS, UNROLL_MAX } = limits;

export const kernel = sumsKernel("weighted-collision-free", {
  own: {
    /** Documents that a thread reads before it adds the first. */
    unroll: { least: 1, most: UNROLL_MAX },
  },
  of: ({ unroll }) => ({ unroll: unroll! }),
  constants: { COLLISION_FREE_WARPS },
});
