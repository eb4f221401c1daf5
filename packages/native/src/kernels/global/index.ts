import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** Runs kernel.cc: one table to which all threads add. */
export const kernel: Kernel = {
  algorithm: algorithms.global,
  name: "perGroup",
  tables: "one",
  numbers: (_, threads) => ({ group: threads }),
};
