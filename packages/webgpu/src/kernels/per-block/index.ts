import { algorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { tableOverrides } from "../lib/overrides.ts";

export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms["per-block"],
  reads: "codes",
  stages: ({ plan, limits }) => [
    {
      label: "per-block",
      parts: [SHADERS["per-block/kernel"]],
      entry: "count",
      constants: tableOverrides(plan),
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
