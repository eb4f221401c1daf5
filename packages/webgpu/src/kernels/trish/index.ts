import { SHADERS } from "../generated/shaders.ts";
import { codesKernel, tableOverrides } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

const OWN = {
  /** Words of a loop, and loops before the rows are summed (section 5.4). */
  k: "u32",
  loops: "u32",
} as const;

/** Count, for bytes or for codes. The merge that follows is BlockSum. */
export const kernel: CountKernel<typeof OWN> = {
  ...codesKernel("trish", ({ plan, bytes }) => ({
    label: "trish Count",
    parts: [SHADERS["trish/kernel"], bytes ? SHADERS["trish/bytes"] : SHADERS["trish/codes"]],
    ownReads: bytes,
    constants: { ...tableOverrides(plan), PAIRS: Number(plan.parameters.rowSums === "pairs") },
  })),
  own: OWN,
  params: ({ parameters, wordsPerThread }) => {
    const k = parameters.k as number;
    return { k, loops: Math.floor(wordsPerThread! / k) };
  },
};
