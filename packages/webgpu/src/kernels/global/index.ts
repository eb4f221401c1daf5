import { algorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms.global,
  reads: "codes",
  stages: ({ plan, limits }) => [
    {
      label: "global",
      parts: [SHADERS["global/kernel"]],
      entry: "count",
      constants: { THREADS: plan.threads },
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
