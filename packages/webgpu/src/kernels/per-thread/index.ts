import { algorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { tableOverrides } from "../lib/overrides.ts";

export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms["per-thread"],
  reads: "codes",
  stages: ({ plan, limits }) => [
    {
      label: "per-thread",
      parts: [SHADERS["per-thread/kernel"]],
      entry: "count",
      constants: { ...tableOverrides(plan), WORDS_PER_THREAD: plan.wordsPerThread! },
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
