import { algorithms } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { tableOverrides } from "../lib/overrides.ts";

/** The layouts of a thread's counters. The index is the number that the kernel uses. */
const LAYOUTS: readonly unknown[] = ["row", "column", "interleaved"];

const OWN = {
  /** Blocks that count. A grid of two dimensions may have a few more. */
  blocks: "u32",
} as const;

export const kernel: CountKernel<typeof OWN> = {
  kind: "count",
  algorithm: algorithms.privatized,
  reads: "codes",
  own: OWN,
  params: ({ blocks }) => ({ blocks }),
  stages: ({ plan, limits }) => [
    {
      label: "privatized",
      parts: [SHADERS["privatized/kernel"]],
      entry: "count",
      constants: {
        ...tableOverrides(plan),
        WORDS_PER_THREAD: plan.wordsPerThread!,
        PERIODIC: Number(plan.parameters.merge === "periodic"),
        LAYOUT: LAYOUTS.indexOf(plan.parameters.layout),
      },
      grid: gridOf(plan.blocks, limits),
    },
  ],
};
