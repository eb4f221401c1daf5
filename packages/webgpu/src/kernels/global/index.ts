import { SHADERS } from "../generated/shaders.ts";
import { codesKernel } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = codesKernel("global", ({ plan }) => ({
  parts: [SHADERS["global/kernel"]],
  constants: { THREADS: plan.threads },
}));
