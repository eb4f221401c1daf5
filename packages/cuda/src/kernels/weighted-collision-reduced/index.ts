import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

const { BUFFER_MAX, BUFFER_VALUE_SHIFT, WEIGHTED_IN_FLIGHT } = limits;

export const kernel = sumsKernel(weightedAlgorithms["weighted-collision-reduced"], {
  own: {
    /** Units of a thread's buffer. */
    buffer: { least: 1, most: BUFFER_MAX },
  },
  of: ({ parameters }) => ({ buffer: Number(parameters.buffer) }),
  constants: { BUFFER_VALUE_SHIFT, WEIGHTED_IN_FLIGHT },
});
