import { algorithms, rawShift } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { tableOverrides } from "../lib/overrides.ts";

export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms["per-thread-64"],
  reads: "codes",
  stages: ({ plan, limits }) => [
    {
      label: "per-thread-64",
      parts: [SHADERS["per-thread-64/kernel"]],
      entry: "count",
      constants: { ...tableOverrides(plan), BANKS: plan.own!.banks!, SHIFT: rawShift(plan) },
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
