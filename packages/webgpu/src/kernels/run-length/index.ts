import { algorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel<{ readonly longest: "u32" }> = {
  kind: "count",
  algorithm: algorithms["run-length"],
  reads: "codes",
  own: { longest: "u32" },
  params: ({ parameters }) => ({ longest: Number(parameters.longest) }),
  stages: ({ plan, limits }) => [
    {
      label: "run-length",
      parts: [SHADERS["run-length/kernel"]],
      entry: "count",
      constants: { THREADS: plan.threads },
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
