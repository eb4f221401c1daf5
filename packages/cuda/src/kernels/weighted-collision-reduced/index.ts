import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

const { BUFFER_MAX, BUFFER_VALUE_SHIFT, WEIGHTED_IN_FLIGHT, WEIGHTED_UNIT } = limits;

export const kernel = sumsKernel(weightedAlgorithms["weighted-collision-reduced"], {
  own: {
    /** Whether a thread fetches words of values. */
    words: "bool",
    /** Units of a thread's buffer: whole fetches. */
    buffer: { least: 1, most: BUFFER_MAX },
  },
  of: ({ parameters }) => ({ words: parameters.fetch === "word", buffer: Number(parameters.buffer) }),
  constants: { BUFFER_VALUE_SHIFT, WEIGHTED_IN_FLIGHT, WEIGHTED_UNIT },
});
