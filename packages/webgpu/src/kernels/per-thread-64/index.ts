import { rawShift } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { codesKernel, tableOverrides } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = codesKernel("per-thread-64", ({ plan }) => ({
  parts: [SHADERS["per-thread-64/kernel"]],
  constants: { ...tableOverrides(plan), BANKS: plan.own!.banks!, SHIFT: rawShift(plan) },
}));
