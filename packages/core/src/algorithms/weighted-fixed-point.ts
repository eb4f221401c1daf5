import { WORD_BYTES } from "../base/index.ts";
import type { WeightedAlgorithm } from "../plan/index.ts";
import { COUNT_BITS, PER_LANE_THREADS, WORKER_NARROW_CELLS, WORKER_WIDE_LANES } from "./lib/limits.ts";
import { tooLittleShared } from "./lib/shared.ts";
import { cellBytes, documentsPerFlush, ownTables, thatFit } from "./lib/weighted-shared.ts";

/** Up to so many bins, sums of 32 bits that are flushed cost less than sums of 64 bits in two words. */
export const WEIGHT_FLUSH_BINS = 512;

/**
 * Threads a block of weighted-fixed-point: few, so that each has registers for what is on its way; but as many as there
 * may be where a block has less shared memory than this and so few features, which take few registers.
 */
export const WEIGHTED_THREADS = 512;

export const WEIGHTED_SHARED_BYTES = 65_536;

/** Features that a block of weighted-fixed-point adds up side by side, so that it reads a weight once for all of them. */
export const FEATURES_PER_BLOCK = 6;

/**
 * Integer weights, and in every bin a word for each bank of shared memory, so that the lanes of a warp never meet,
 * whatever the data: an integer addition a number, where a float addition would be a loop of compare-and-swap.
 *
 *   words:  cell[bin][P][R], lane l adds to replica l mod R;   P numbers a cell, R banks, or half of them where P is 2:
 *           then half of a warp begins with the first number of a cell, the other half with the second
 *
 * Up to WEIGHT_FLUSH_BINS bins sums are flushed in time: those of 32 bits after 2,048 documents a replica; with counts
 * but no squares, where a count and the upper bits of a sum share a word, after 16,383. Beyond so many bins, flushing
 * would cost more than a second word that keeps the carry.
 */
export const algorithm: WeightedAlgorithm = {
  slug: "weighted-fixed-point",
  title: "integer sums, a table a bank: no lane waits for another, whatever the data",
  source: "polybin",
  parameters: {},
  preference: ({ precision }, kind) => (kind !== "cpu" && precision === "reproducible" ? 1 : null),
  launch(request, limits) {
    const { bins, features, precision } = request;
    if (precision === "fast") {
      return "weighted-fixed-point adds integers up: for the precision fast take weighted-collision-free or another one that adds floats";
    }
    if (limits.kind === "workers") {
      const lanes = bins <= WORKER_NARROW_CELLS ? WORKER_WIDE_LANES : 1;
      return ownTables("weighted-fixed-point", request, lanes, limits);
    }
    const { counts, squares } = request;
    const isPacked = counts && !squares;
    const sumBits = bins > WEIGHT_FLUSH_BINS ? 64 : isPacked ? 50 : 32;
    const counterBits = sumBits === 50 ? COUNT_BITS : 32;
    const bytes = cellBytes(counterBits, sumBits, request);
    let replicas = sumBits !== 64 && bytes === 2 * WORD_BYTES ? Math.max(1, limits.banks / 2) : limits.banks;
    while (replicas > 1 && bins * replicas * bytes > limits.sharedBytes) replicas = Math.floor(replicas / 2);
    const binsPerPass = thatFit(replicas * bytes, limits.sharedBytes, bins);
    if (binsPerPass === 0) return tooLittleShared("weighted-fixed-point", bytes, limits);
    const tableBytes = binsPerPass * replicas * bytes;
    const featuresPerBlock = Math.max(
      1,
      thatFit(tableBytes, limits.sharedBytes, Math.min(features, FEATURES_PER_BLOCK)),
    );
    const most = limits.sharedBytes < WEIGHTED_SHARED_BYTES ? PER_LANE_THREADS : WEIGHTED_THREADS;
    const threads = Math.max(limits.warp, Math.min(most, limits.blockThreads));
    return {
      threads,
      replicas,
      featuresPerBlock,
      counterBits,
      sumBits,
      binsPerPass,
      sharedBytes: featuresPerBlock * tableBytes,
      flushDocuments: sumBits === 64 ? null : documentsPerFlush(request, threads, replicas, sumBits),
    };
  },
};
