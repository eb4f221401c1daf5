import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

const { PER_THREAD_64_BINS, TRISH_WORDS, WARP_THREADS, WORD_BYTES } = limits;

/** A group of threads whose columns are swizzled: a byte of every bank's word. The plan has one group per block. */
const PER_THREAD_64_GROUP = WORD_BYTES * WARP_THREADS;

export const kernel = codesKernel(algorithms["per-thread-64"], {
  threads: { multipleOf: PER_THREAD_64_GROUP, most: PER_THREAD_64_GROUP },
  cells: { most: PER_THREAD_64_BINS },
  shared: { table: { of: "thread", cells: 1, bytes: 1 } },
  partials: true,
  constants: { PER_THREAD_64_GROUP, PER_THREAD_64_BINS, PER_THREAD_64_WORDS: TRISH_WORDS },
});
