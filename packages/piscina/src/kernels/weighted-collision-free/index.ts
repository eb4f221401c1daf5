// Runs weighted.as.ts with one table per worker, which takes the part of a thread. The processor reads ahead
// automatically, so the loop is unrolled for four documents, whatever the plan's unroll is.
//
// Source: Xu et al., 4.2 Collision-Free Method.
import { weightedAlgorithms } from "@polybin/core/backend";
import { inOwnTables, type WeightedKernel } from "../lib/weighted.ts";

export const kernel: WeightedKernel = {
  algorithm: weightedAlgorithms["weighted-collision-free"],
  ...inOwnTables,
};
