import { algorithms } from "../../algorithms/index.ts";
import { STEP_BYTES } from "../../base/index.ts";
import { SAMPLE_TRAITS, type Samples } from "../../input/index.ts";
import type { Kernel } from "../kernel.ts";

/** A plain loop over one sample after the other: the one for the job's type and axis. */
export function sequential(counters: Kernel["counters"]): Kernel {
  return {
    slug: algorithms.sequential.slug,
    launch: LOOP,
    counters,
    stepPixels: ({ type, channels }: Samples) =>
      Math.floor(STEP_BYTES / (SAMPLE_TRAITS[type].bytes * channels)),
  };
}

export const LOOP: Kernel["launch"] = { kernel: "loop" };
