import { algorithms } from "../../algorithms/index.ts";
import { STEP_BYTES } from "../../base/index.ts";
import { SAMPLE_TRAITS, type Samples } from "../../input/index.ts";
import { sequentialCounters } from "../counting.ts";
import type { Kernel } from "../kernel.ts";

/** The oracle as a plain loop. It uses the definition of the axis, not the codes that other kernels count. */
export const sequential: Kernel = {
  slug: algorithms.sequential.slug,
  launch: { kernel: "oracle" },
  counters: sequentialCounters,
  stepPixels: ({ type, channels }: Samples) =>
    Math.floor(STEP_BYTES / (SAMPLE_TRAITS[type].bytes * channels)),
};
