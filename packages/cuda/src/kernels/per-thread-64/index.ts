import { algorithms, limits } from "@polybin/core/backend";
import { codesKernel } from "../descriptor.ts";

const { PER_THREAD_64_THREADS, PER_THREAD_64_BINS, WARP_THREADS } = limits;

export const kernel = codesKernel(algorithms["per-thread-64"], {
  threads: { multipleOf: 2 * WARP_THREADS, most: PER_THREAD_64_THREADS },
  cells: { most: PER_THREAD_64_BINS },
  shared: { table: { of: "thread", cells: 1, bytes: 1 } },
  partials: true,
  constants: { PER_THREAD_64_THREADS },
});
