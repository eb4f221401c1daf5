import type { ChannelsPlan, Slug } from "@polybin/core";
import { algorithms, limits } from "@polybin/core/backend";
import { gridOf } from "./grid.ts";
import type { CountKernel, CountShape, Stage } from "./kernel.ts";

/** Returns a kernel that reads codes in one dispatch of the plan's blocks, with the parts and constants of `own`. */
export function codesKernel(
  slug: Slug,
  own: (shape: CountShape) => Pick<Stage, "parts" | "constants"> & Partial<Stage>,
): CountKernel {
  return {
    kind: "count",
    algorithm: algorithms[slug],
    reads: "codes",
    stages: (shape) => {
      const grid = gridOf(shape.plan.blocks, shape.limits);
      return [{ label: slug, entry: "count", grid, ...own(shape) }];
    },
  };
}

/** Overrides that many kernels have: threads of a block, and words of its table. */
export function tableOverrides({ threads, sharedBytes }: ChannelsPlan): Readonly<Record<string, number>> {
  return { THREADS: threads, TABLE_WORDS: limits.divideCeiling(sharedBytes, limits.WORD_BYTES) };
}
