import { limits } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { codesKernel, tableOverrides } from "../lib/codes-kernel.ts";
import type { CountKernel } from "../lib/kernel.ts";

/** The layouts of a thread's counters. The index is the number that the kernel uses. */
const LAYOUTS: readonly unknown[] = ["row", "column", "interleaved"];
/** The numbers for where an overflow check spills. 0: there is none. */
const CHECKS: Readonly<Record<string, number>> = { "check-shared": 1, "check-global": 2 };

const OWN = {
  /** Blocks that count. A grid of two dimensions may have a few more. */
  blocks: "u32",
} as const;

export const kernel: CountKernel<typeof OWN> = {
  ...codesKernel("privatized", ({ plan }) => ({
    parts: [SHADERS["privatized/kernel"]],
    constants: {
      ...tableOverrides(plan),
      // A check needs no limit, and then the kernel does not read it.
      WORDS_PER_THREAD: plan.wordsPerThread ?? 1,
      PERIODIC: Number(plan.parameters.merge === "periodic"),
      LAYOUT: LAYOUTS.indexOf(plan.parameters.layout),
      CHECK: CHECKS[plan.parameters.merge as string] ?? 0,
      SPILL: limits.PRIVATIZED_SPILL,
    },
  })),
  own: OWN,
  params: ({ blocks }) => ({ blocks }),
};
