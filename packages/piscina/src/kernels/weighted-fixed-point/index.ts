// Runs weighted.as.ts with the plan's tables, which neighbouring documents use in turn.
import { weightedAlgorithms } from "@polybin/core/backend";
import { inOwnTables, type WeightedKernel } from "../lib/weighted.ts";

export const kernel: WeightedKernel = {
  algorithm: weightedAlgorithms["weighted-fixed-point"],
  integers: true,
  ...inOwnTables,
};
