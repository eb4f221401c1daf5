import { limits } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { codesKernel, tableOverrides } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = {
  ...codesKernel("per-warp", ({ plan }) => ({
    parts: [SHADERS["per-warp/kernel"]],
    constants: { ...tableOverrides(plan), WARP: limits.WARP_THREADS },
  })),
  refuses: ({ parameters }) =>
    parameters.collisions === "tag"
      ? "per-warp can separate lanes by tags only if a warp runs in lock-step, and WGSL has no warps"
      : null,
};
