import { WORD_BYTES } from "../base/index.ts";
import type { WeightedAlgorithm } from "../plan/index.ts";
import { COUNT_BITS, PER_LANE_THREADS, WORKER_NARROW_CELLS, WORKER_WIDE_LANES } from "./lib/limits.ts";
import { tooLittleShared } from "./lib/shared.ts";
import { cellBytes, documentsPerFlush, ownTables, thatFit } from "./lib/weighted-shared.ts";

/** Up to this number of bins, flushing 32-bit sums costs less than 64-bit sums in two words. */
export const WEIGHT_FLUSH_BINS = 512;

/**
 * Threads per block of weighted-fixed-point. The number is small, so that each thread has enough registers for its
 * loads in flight. Blocks with less shared memory than WEIGHTED_SHARED_BYTES use more threads. They have few
 * features, which need few registers.
 */
export const WEIGHTED_THREADS = 512;

export const WEIGHTED_SHARED_BYTES = 65_536;

/**
 * Features that a block of weighted-fixed-point adds up in parallel, so that it reads each weight once for all of
 * them.
 */
export const FEATURES_PER_BLOCK = 6;

/**
 * Adds integer weights. Every bin has one word per bank of shared memory, so that the lanes of a warp never collide,
 * whatever the data. It takes one integer addition per number, where floats would need a compare-and-swap loop.
 *
 *   words:  cell[bin][P][R], lane l adds to replica l mod R;   P numbers per cell, R replicas: as many as banks, or half of
 *           them if P is 2; then half of a warp begins with the first number of a cell, the other half with the second
 *
 * Up to WEIGHT_FLUSH_BINS bins, sums are flushed before they can overflow. 32-bit sums are flushed after 2,048
 * documents per replica. With counts but no squares, a count and the upper bits of a sum share a word, and the sums
 * are flushed after 16,383 documents. With more bins, flushing would cost more than a second word for the carry.
 */
export const algorithm: WeightedAlgorithm = {
  slug: "weighted-fixed-point",
  title: "integer sums in one table per bank, so that no lane waits for another, whatever the data",
  source: "polybin",
  parameters: {},
  preference: ({ precision }, kind) => (kind !== "cpu" && precision === "reproducible" ? 1 : null),
  launch(request, limits) {
    const { bins, features, precision } = request;
    if (precision === "fast") {
      return "weighted-fixed-point adds integers: for the precision fast use weighted-collision-free or another algorithm that adds floats";
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
