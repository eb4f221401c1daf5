import { algorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { fusedText } from "./tables.ts";

/** Over one axis it counts codes. Several columns have a kernel of their own (run/joint/kernels.ts). */
export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms.fused,
  reads: "codes",
  stages: ({ plan }) => {
    const { text, consts, constants } = fusedText(plan, true);
    return [
      {
        label: "fused",
        parts: [text, SHADERS["fused/codes"]],
        entry: "count",
        consts,
        constants: { ...constants, THREADS: plan.threads },
        grid: [plan.blocks],
      },
    ];
  },
};
