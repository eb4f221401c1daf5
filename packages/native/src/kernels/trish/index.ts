import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** Runs kernel.cc: byte counters of 64 lanes, summed before one can overflow. */
export const kernel: Kernel = {
  algorithm: algorithms.trish,
  name: "trish",
  tables: "one",
  numbers: ({ parameters: { k, rowSums } }) => ({ words: Number(k), pairs: rowSums === "pairs" }),
};
