// One table that every worker adds to with atomics.
//
//   shared memory   [cell]   32 bits, one table for all workers
//
// Bound: an atomic addition takes about twenty cycles if no other worker interferes. Otherwise it takes the time to
// move the cache line between cores, so more workers are slower.
// Source: The CUDA Handbook, histogram chapter, "One Global Histogram—and Contention".
import { algorithms } from "@polybin/core/backend";
import { countAtomically, type Kernel } from "../lib/kernel.ts";

export const kernel: Kernel = {
  algorithm: algorithms.global,
  sharing: (_, workers) => workers,

  count: (wasm, codes, _plan, shared) => countAtomically(wasm, codes, shared!),
  finish: () => {},
};
