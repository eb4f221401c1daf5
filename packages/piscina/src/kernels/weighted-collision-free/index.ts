// Launches weighted.as.ts with one table a worker, which is a thread. The processor reads ahead by itself (the plan's
// unroll): the loop is written out for four documents, whatever that says.
//
// Source: Xu et al., 4.2 Collision-Free Method.
import { weightedAlgorithms } from "@polybin/core/backend";
import { inOwnTables, type WeightedKernel } from "../lib/weighted.ts";

export const kernel: WeightedKernel = {
  algorithm: weightedAlgorithms["weighted-collision-free"],
  ...inOwnTables,
};
