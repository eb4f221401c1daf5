import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { SumsKernel } from "../lib/kernel.ts";
import { refusesFetch } from "../lib/sums.ts";
import { planesOf, roomier } from "../lib/sums-tables.ts";

export const kernel: SumsKernel = {
  kind: "sums",
  algorithm: weightedAlgorithms["weighted-collision"],
  parts: [SHADERS["lib/one-table"], SHADERS["weighted-collision/kernel"]],
  refuses: refusesFetch,
  unroll: ({ parameters }) => parameters.unroll as number,
  constants: (plan, of) => ({ WORDS: roomier(planesOf(plan) * plan.binsPerPass, limits.WORD_BYTES, of) }),
};
