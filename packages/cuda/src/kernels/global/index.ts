import { limits } from "@polybin/core";
import { codesKernel } from "../descriptor.ts";

export const kernel = codesKernel("global", {
  threads: { multipleOf: 1, most: limits.BLOCK_THREADS },
  shared: {},
});
