import { limits } from "@polybin/core";
import { codesKernel } from "../descriptor.ts";

const { BLOCK_THREADS, WORD_BYTES } = limits;

export const kernel = codesKernel("per-block", {
  threads: { multipleOf: 1, most: BLOCK_THREADS },
  shared: { table: { of: "block", cells: 1, bytes: WORD_BYTES } },
});
