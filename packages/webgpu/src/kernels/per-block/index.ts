import { SHADERS } from "../generated/shaders.ts";
import { codesKernel, tableOverrides } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = codesKernel("per-block", ({ plan }) => ({
  parts: [SHADERS["per-block/kernel"]],
  constants: tableOverrides(plan),
}));
