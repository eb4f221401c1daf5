import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

const { PER_WARP_THREADS, TAG_BITS, TAGGED_MAX, WARP_THREADS, WORD_BYTES } = limits;

export const kernel = codesKernel(algorithms["per-warp"], {
  threads: { multipleOf: WARP_THREADS, most: PER_WARP_THREADS },
  shared: { table: { of: "warp", cells: 1, bytes: WORD_BYTES } },
  partials: true,
  own: {
    /** Whether to use software tags instead of atomics. */
    tag: "bool",
  },
  of: ({ parameters }) => ({ tag: parameters.collisions === "tag" }),
  constants: { PER_WARP_THREADS, TAG_BITS, TAGGED_MAX },
});
