import { limits } from "@polybin/core";
import { sumsKernel } from "../descriptor.ts";

const { BUFFER_MAX, BUFFER_VALUE_SHIFT, WEIGHTED_IN_FLIGHT } = limits;

export const kernel = sumsKernel("weighted-collision-reduced", {
  own: {
    /** Units of a thread's buffer. */
    buffer: { least: 1, most: BUFFER_MAX },
  },
  of: ({ buffer }) => ({ buffer: buffer! }),
  constants: { BUFFER_VALUE_SHIFT, WEIGHTED_IN_FLIGHT },
});
