import { SHADERS } from "../generated/shaders.ts";
import { codesKernel } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { fusedText } from "./tables.ts";

/** Over one axis it counts codes. Several columns have a kernel of their own (run/prepare/cells/kernels.ts). */
export const kernel: CountKernel = codesKernel("fused", ({ plan }) => {
  const { text, consts, constants } = fusedText(plan, true);
  return {
    parts: [text, SHADERS["fused/codes"]],
    consts,
    constants: { ...constants, THREADS: plan.threads },
    grid: [plan.blocks],
  };
});
