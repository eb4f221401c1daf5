import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

const { PER_THREAD_THREADS, WORD_BYTES } = limits;

export const kernel = codesKernel(algorithms["per-thread"], {
  threads: { multipleOf: PER_THREAD_THREADS, most: PER_THREAD_THREADS },
  shared: { table: { of: "thread", cells: 2, bytes: WORD_BYTES } },
  partials: true,
  constants: { PER_THREAD_THREADS },
});
