import {
  FEATURES_PER_BLOCK,
  PER_LANE_THREADS,
  WEIGHT_FLUSH_BINS,
  WORKER_NARROW_CELLS,
  WORKER_WIDE_LANES,
} from "../limits.ts";
import type { WeightedAlgorithm } from "../weighted/plan.ts";
import { cellBytes, documentsPerFlush, ownTables, thatFit } from "../weighted/shared.ts";
import { sumInLanes } from "../weighted/simulate.ts";
import { tooLittleShared } from "./shared.ts";

/**
 * Integer weights in a table a bank of shared memory, so that the lanes of a warp never meet, whatever the data:
 * two integer additions a document, where a float addition would be a loop of compare-and-swap.
 *
 *   words:  counts[bin * R + lane mod R], sums[bin * R + lane mod R];   with R = banks the bank is the lane
 *
 * Up to WEIGHT_FLUSH_BINS bins a sum has 32 bits and is flushed in time; beyond, flushing would cost more than the
 * second word that then keeps the carry.
 */
export const weightedFixedPoint: WeightedAlgorithm = {
  slug: "weighted-fixed-point",
  title: "integer sums, a table a bank: no lane waits for another, whatever the data",
  source: "polybin",
  parameters: {},
  launch(request, limits) {
    const { bins, features, precision } = request;
    if (precision === "fast") {
      return "weighted-fixed-point adds integers up: for the precision fast take weighted-collision-free or another one that adds floats";
    }
    if (limits.kind === "workers") {
      const lanes = bins <= WORKER_NARROW_CELLS ? WORKER_WIDE_LANES : 1;
      return ownTables("weighted-fixed-point", request, lanes, limits);
    }
    const sumBits = bins <= WEIGHT_FLUSH_BINS ? 32 : 64;
    const bytes = cellBytes(32, sumBits, request);
    let replicas = limits.banks;
    while (replicas > 1 && bins * replicas * bytes > limits.sharedBytes) replicas = Math.floor(replicas / 2);
    const binsPerPass = thatFit(replicas * bytes, limits.sharedBytes, bins);
    if (binsPerPass === 0) return tooLittleShared("weighted-fixed-point", bytes, limits);
    const tableBytes = binsPerPass * replicas * bytes;
    const featuresPerBlock = Math.max(
      1,
      thatFit(tableBytes, limits.sharedBytes, Math.min(features, FEATURES_PER_BLOCK)),
    );
    const threads = Math.max(limits.warp, Math.min(PER_LANE_THREADS, limits.blockThreads));
    return {
      threads,
      replicas,
      featuresPerBlock,
      counterBits: 32,
      sumBits,
      binsPerPass,
      sharedBytes: featuresPerBlock * tableBytes,
      flushDocuments: sumBits === 64 ? null : documentsPerFlush(request, threads, replicas),
    };
  },
  reference: sumInLanes,
};
