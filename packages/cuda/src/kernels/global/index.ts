import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

export const kernel = codesKernel(algorithms.global, {
  threads: { multipleOf: 1, most: limits.BLOCK_THREADS },
  narrow: true,
  shared: {},
});
