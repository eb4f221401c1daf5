import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

export const kernel = codesKernel(algorithms["run-length"], {
  threads: { multipleOf: 1, most: limits.BLOCK_THREADS },
  shared: {},
  own: {
    /** Samples of a run, at most. */
    longest: "u32",
  },
  of: ({ parameters }) => ({ longest: Number(parameters.longest) }),
});
