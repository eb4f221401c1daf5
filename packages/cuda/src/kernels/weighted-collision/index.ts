import { limits } from "@polybin/core";
import { sumsKernel } from "../descriptor.ts";

export const kernel = sumsKernel("weighted-collision", {
  own: {
    /** Documents that a thread reads before it adds the first. */
    unroll: { least: 1, most: limits.UNROLL_MAX },
  },
  of: ({ unroll }) => ({ unroll: unroll! }),
});
