import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

const { TILE_WORDS, WARP_THREADS, WORD_BYTES } = limits;

export const kernel = codesKernel(algorithms["bank-owned"], {
  threads: { multipleOf: WARP_THREADS, most: WARP_THREADS },
  shared: { bytes: TILE_WORDS * WORD_BYTES, table: { of: "block", cells: 1, bytes: WORD_BYTES } },
  constants: { TILE_WORDS },
});
