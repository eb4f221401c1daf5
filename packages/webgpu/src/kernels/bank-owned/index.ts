import { algorithms, limits as core } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms["bank-owned"],
  reads: "codes",
  stages: ({ plan, bytes, limits }) => [
    {
      label: "bank-owned",
      parts: [SHADERS["bank-owned/kernel"]],
      ownReads: true,
      entry: "count",
      constants: {
        THREADS: plan.threads,
        // A tile fills the block's memory that the counters do not need.
        TILE_WORDS: plan.sharedBytes / core.WORD_BYTES - plan.cellsPerPass,
        TABLE_WORDS: plan.cellsPerPass,
        BYTES: Number(bytes),
      },
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
