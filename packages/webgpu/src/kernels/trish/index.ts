import { algorithms, limits as core } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel } from "../lib/kernel.ts";
import { tableOverrides } from "../lib/overrides.ts";

const OWN = {
  /** Words of a loop, and loops before the rows are summed (section 5.4). */
  k: "u32",
  loops: "u32",
  /** Blocks of Count. BlockSum adds their histograms. */
  blocks: "u32",
} as const;

/** Histograms that a block of BlockSum adds up. */
const BATCH = 4;

/** Count, for bytes or for codes, and BlockSum. */
export const kernel: CountKernel<typeof OWN> = {
  kind: "count",
  algorithm: algorithms.trish,
  reads: "codes",
  own: OWN,
  params: ({ parameters, wordsPerThread, blocks }) => {
    const k = parameters.k as number;
    return { k, loops: Math.floor(wordsPerThread! / k), blocks };
  },
  histogramsBytes: ({ blocks, cellsPerPass }) => blocks * cellsPerPass * Uint32Array.BYTES_PER_ELEMENT,
  stages: ({ plan, bytes, limits }) => [
    {
      label: "trish Count",
      parts: [SHADERS["trish/kernel"], bytes ? SHADERS["trish/bytes"] : SHADERS["trish/codes"]],
      ownReads: bytes,
      entry: "count",
      constants: {
        ...tableOverrides(plan),
        BINS: plan.cellsPerPass,
        PAIRS: Number(plan.parameters.rowSums === "pairs"),
      },
      scratch: "histograms",
      grid: gridOf(plan.blocks, limits),
    },
    {
      label: "trish BlockSum",
      parts: [SHADERS["trish/sum"]],
      ownReads: true,
      entry: "blockSum",
      constants: {
        THREADS: Math.min(plan.cellsPerPass, limits.blockThreads),
        BINS: plan.cellsPerPass,
        BATCH,
      },
      scratch: "histograms",
      grid: [core.divideCeiling(plan.blocks, BATCH)],
    },
  ],
};
