import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { SumsKernel } from "../lib/kernel.ts";
import { refusesFetch } from "../lib/sums.ts";
import { kindsOf, roomier, sharersOf } from "../lib/sums-tables.ts";

export const kernel: SumsKernel = {
  kind: "sums",
  algorithm: weightedAlgorithms["weighted-collision-free"],
  parts: [SHADERS["weighted-collision-free/kernel"]],
  refuses: refusesFetch,
  unroll: ({ parameters }) => parameters.unroll as number,
  constants: (plan, of) => {
    const { counts, binsPerPass, threads } = plan;
    const pairs = counts ? limits.divideCeiling(binsPerPass, 2) : 0;
    return {
      ROWS: roomier(pairs + binsPerPass * kindsOf(plan), threads * limits.WORD_BYTES, of),
      SHARERS: sharersOf(binsPerPass, plan, of),
    };
  },
};
