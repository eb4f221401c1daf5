import { limits } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { codesKernel } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

export const kernel: CountKernel = codesKernel("bank-owned", ({ plan, bytes }) => ({
  parts: [SHADERS["bank-owned/kernel"]],
  ownReads: true,
  constants: {
    THREADS: plan.threads,
    // A tile fills the block's memory that the counters do not need.
    TILE_WORDS: plan.sharedBytes / limits.WORD_BYTES - plan.cellsPerPass,
    TABLE_WORDS: plan.cellsPerPass,
    BYTES: Number(bytes),
  },
}));
