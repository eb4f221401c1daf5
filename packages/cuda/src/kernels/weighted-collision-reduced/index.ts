import { documentsPerFetchOf, limits, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

const { BUFFER_MAX, BUFFER_VALUE_SHIFT, WEIGHTED_IN_FLIGHT, WEIGHTED_UNIT } = limits;

export const kernel = sumsKernel(weightedAlgorithms["weighted-collision-reduced"], {
  own: {
    /** Whether a thread fetches words of values. */
    words: "bool",
    /** Units of a thread's buffer: whole fetches. */
    buffer: { least: 1, most: BUFFER_MAX },
    /** Documents that a thread reads before it gathers the first: a word, or several values. */
    unroll: { least: 1, most: WEIGHTED_UNIT },
  },
  of: (plan) => {
    const words = plan.parameters.fetch === "word";
    return {
      words,
      buffer: Number(plan.parameters.buffer),
      unroll: words ? documentsPerFetchOf(plan) : WEIGHTED_IN_FLIGHT,
    };
  },
  constants: { BUFFER_VALUE_SHIFT, WEIGHTED_UNIT },
});
