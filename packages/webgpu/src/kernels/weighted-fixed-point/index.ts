import { limits, weightedAlgorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { SumsKernel } from "../lib/kernel.ts";
import { planesOf, roomier, sharersOf } from "../lib/sums-tables.ts";

export const kernel: SumsKernel = {
  kind: "sums",
  algorithm: weightedAlgorithms["weighted-fixed-point"],
  parts: [SHADERS["weighted-fixed-point/kernel"]],
  unroll: ({ squares }) => (limits.WEIGHTED_UNIT * limits.WEIGHTED_IN_FLIGHT) / (squares ? 2 : 1),
  consts: (plan) => ({ PLANES: planesOf(plan), REPLICAS: plan.replicas }),
  constants: (plan, of) => {
    const { threads, replicas, sumBits, featuresPerBlock, binsPerPass } = plan;
    const planes = planesOf(plan);
    const rows = featuresPerBlock * binsPerPass;
    const isWide = sumBits === 64;
    const sharers = isWide ? 1 : sharersOf(rows, plan, of);
    return {
      ROWS: roomier(rows, planes * replicas * limits.WORD_BYTES, of),
      PACKED: Number(sumBits === 50),
      COUNT_BITS: limits.COUNT_BITS,
      COUNT_SHIFT: limits.COUNT_SHIFT,
      WIDE: Number(isWide),
      // A cell uses every bank exactly once.
      TURNED: Number(!isWide && planes === 2 && planes * replicas === limits.WARP_THREADS),
      SHARERS: sharers,
      KEEPS: Number(!of.generic && !isWide && rows * sharers <= threads),
    };
  },
};
