import { SHADERS } from "../generated/shaders.ts";
import { codesKernel, tableOverrides } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = codesKernel("per-thread", ({ plan }) => ({
  parts: [SHADERS["per-thread/kernel"]],
  constants: { ...tableOverrides(plan), WORDS_PER_THREAD: plan.wordsPerThread! },
}));
