import { limits, type SumsPlan, weightedAlgorithms } from "@polybin/core/backend";
import { sumsKernel } from "../descriptor.ts";

const { WEIGHTED_THREADS, WEIGHTED_UNIT, WEIGHTED_IN_FLIGHT, WEIGHTED_ROWS } = limits;
const { FEATURES_PER_BLOCK, COUNT_BITS, COUNT_SHIFT } = limits;

export const kernel = sumsKernel(weightedAlgorithms["weighted-fixed-point"], {
  refuses({ flushDocuments, sumBits, threads, featuresPerBlock, binsPerPass, type }: SumsPlan) {
    if (sumBits === 64) {
      return type === "u16" ? null : `cuda keeps sums of ${type} values in 32 bits but the plan has 64`;
    }
    const round = WEIGHTED_IN_FLIGHT * WEIGHTED_UNIT * threads;
    if (flushDocuments === null || flushDocuments < round) {
      return `cuda adds ${round} documents per block between two flushes but the plan allows ${flushDocuments ?? "no"} documents`;
    }
    const rows = featuresPerBlock * binsPerPass;
    const most = WEIGHTED_ROWS * threads;
    return rows <= most ? null : `cuda keeps the totals of ${most} bins per block but the plan has ${rows}`;
  },
  constants: {
    WEIGHTED_THREADS,
    WEIGHTED_UNIT,
    WEIGHTED_IN_FLIGHT,
    WEIGHTED_ROWS,
    FEATURES_PER_BLOCK,
    COUNT_BITS,
    COUNT_SHIFT,
  },
});
