import { algorithms, limits as core } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { tableOverrides } from "../lib/overrides.ts";

export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms["per-warp"],
  reads: "codes",
  refuses: ({ parameters }) =>
    parameters.collisions === "tag"
      ? "per-warp can separate lanes by tags only if a warp runs in lock-step, and WGSL has no warps"
      : null,
  stages: ({ plan, limits }) => [
    {
      label: "per-warp",
      parts: [SHADERS["per-warp/kernel"]],
      entry: "count",
      constants: { ...tableOverrides(plan), WARP: core.WARP_THREADS },
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
