import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** Runs kernel.cc of global: one table for each group of threads, which is a warp's with threads as lanes. */
export const kernel: Kernel = {
  algorithm: algorithms["per-warp"],
  name: "perGroup",
  tables: "one",
  numbers: ({ threads }) => ({ group: threads }),
};
