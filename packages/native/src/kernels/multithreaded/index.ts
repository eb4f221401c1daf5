import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** Runs kernel.cc of per-thread: one table for each thread, over one share of the samples each. */
export const kernel: Kernel = {
  algorithm: algorithms.multithreaded,
  name: "perThread",
  tables: "one",
  numbers: () => ({ contiguous: true }),
};
