import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

const { BLOCK_THREADS, WORD_BYTES } = limits;

export const kernel = codesKernel(algorithms["per-block"], {
  threads: { multipleOf: 1, most: BLOCK_THREADS },
  narrow: true,
  shared: { table: { of: "block", cells: 1, bytes: WORD_BYTES } },
});
