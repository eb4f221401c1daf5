import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { SumsKernel } from "../lib/kernel.ts";
import { refusesFetch } from "../lib/sums.ts";
import { kindsOf, planesOf, roomier } from "../lib/sums-tables.ts";

export const kernel: SumsKernel = {
  kind: "sums",
  algorithm: weightedAlgorithms["weighted-collision-reduced"],
  parts: [SHADERS["lib/one-table"], SHADERS["weighted-collision-reduced/kernel"]],
  refuses: (plan) =>
    refusesFetch(plan) ??
    (plan.subHistogramBytes > 0
      ? "webgpu has no weighted-collision-reduced with reduce tables: its blocks add their tables to the totals"
      : null),
  unroll: () => 1,
  constants: (plan, { sharedBytes, ...of }) => {
    const { threads, parameters } = plan;
    const buffer = parameters.buffer as number;
    // A unit always has its value.
    const words = buffer * threads * (1 + kindsOf(plan));
    const room = { ...of, sharedBytes: sharedBytes - words * limits.WORD_BYTES };
    return {
      WORDS: roomier(planesOf(plan) * plan.binsPerPass, limits.WORD_BYTES, room),
      UNITS: buffer,
      VALUE_SHIFT: limits.BUFFER_VALUE_SHIFT,
      BUFFER_WORDS: words,
    };
  },
};
