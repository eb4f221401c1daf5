import type { WeightedAlgorithm } from "../plan/index.ts";
import { documentsPerFetch, FETCH, type Fetch, fetchOn, noWords, wholeFetches } from "./lib/fetch.ts";
import { SMALL_BINS, UNROLL_MAX } from "./lib/limits.ts";
import { tooLittleShared } from "./lib/shared.ts";
import { cellBytes, documentsPerFlush, ownTables, thatFit } from "./lib/weighted-shared.ts";

/** Maximum number of warps of a weighted-collision-free block: 256 threads. */
export const COLLISION_FREE_WARPS = 8;

/**
 * Maximum number of documents that a thread reads before it adds them: one per two bins, up to this number (Table 5).
 */
export const UNROLL = 16;

/** Number of bins from which a weighted-collision-free thread reads UNROLL documents. */
export const UNROLL_BINS = 16;

type Own = { readonly fetch: Fetch; readonly unroll: number };

/**
 * Keeps one histogram per thread, so that threads never collide: 16-bit counters, two bins per word, and 32-bit sums.
 *
 *   sums:      word = [bin][thread]
 *   counters:  word = [bin / 2][thread], the even bin in the lower half
 *
 * A thread loads words of several values, and reads several documents before it adds them (N_unroll). This hides the
 * latency, which few threads cannot hide. Then the block sums its histograms; each thread starts at a different place.
 */
export const algorithm: WeightedAlgorithm<Own> = {
  slug: "weighted-collision-free",
  title: "one histogram per thread, without atomics, for few bins",
  source: "Xu et al., 4.2 Collision-Free Method, Figure 1, Table 5",
  parameters: {
    fetch: FETCH,
    unroll: {
      title: "documents that a thread reads before it adds them (N_unroll)",
      least: 1,
      most: UNROLL_MAX,
    },
  },
  preference: ({ precision, bins }, kind) =>
    kind === "cpu" || precision === "reproducible" ? null : bins <= SMALL_BINS ? 1 : 2,
  launch(request, limits) {
    const { bins, type } = request;
    const fetch = fetchOn(limits, request.parameters.fetch);
    const unroll = request.parameters.unroll ?? unrollFor(bins);
    const parameters = { fetch, unroll: wholeFetches(unroll, documentsPerFetch(type, fetch)) };
    if (limits.kind === "workers") {
      if (fetch === "word") return noWords("weighted-collision-free");
      const launch = ownTables("weighted-collision-free", request, 1, limits);
      return typeof launch === "string" ? launch : { ...launch, parameters };
    }
    // Bins come in pairs that share the word of their counters.
    const pairs = Math.ceil(bins / 2);
    const pairBytes = 2 * cellBytes(16, 32, request) * limits.warp;
    const pairsPerPass = thatFit(pairBytes, limits.sharedBytes, pairs);
    if (pairsPerPass === 0) return tooLittleShared("weighted-collision-free", pairBytes, limits);
    const warpBytes = pairsPerPass * pairBytes;
    const most = Math.min(COLLISION_FREE_WARPS, Math.floor(limits.blockThreads / limits.warp));
    const threads = Math.max(1, thatFit(warpBytes, limits.sharedBytes, most)) * limits.warp;
    return {
      threads,
      replicas: threads,
      featuresPerBlock: 1,
      counterBits: 16,
      sumBits: 32,
      binsPerPass: Math.min(bins, 2 * pairsPerPass),
      sharedBytes: (threads / limits.warp) * warpBytes,
      flushDocuments: documentsPerFlush(request, threads, threads),
      parameters,
    };
  },
};

/** Table 5: 1, 2 and 4 documents for 2, 4 and 8 bins, where registers limit the warps; 16 from 16 bins on. */
function unrollFor(bins: number): number {
  return bins < UNROLL_BINS ? Math.floor(bins / 2) || 1 : UNROLL;
}
