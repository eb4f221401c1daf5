import { WARP_THREADS } from "../base/index.ts";
import type { WeightedAlgorithm } from "../plan/index.ts";
import { documentsPerFetch, FETCH, type Fetch, fetchOn, noWords, wholeFetches } from "./lib/fetch.ts";
import { TABLE_6_BINS_3, UNROLL_MAX } from "./lib/limits.ts";
import { tooLittleShared } from "./lib/shared.ts";
import { cellBytes, oneTable, sharedTableSums, thatFit } from "./lib/weighted-shared.ts";

/** Table 6: warps per block of weighted-collision, up to 512 bins and above. */
export const COLLISION_WARPS = 2;

export const COLLISION_WARPS_WIDE = 4;

type Own = { readonly fetch: Fetch; readonly warps: number; readonly unroll: number };

/**
 * Keeps one histogram per block, which all its threads update with atomics. Equal values in nearby documents wait for
 * each other. It is fast on scattered data and slow on data that the paper calls degenerate.
 *
 * A sum of integers has two words. The atomic addition to the lower one returns the previous value, which shows
 * whether it wrapped. Only then is the upper one written. So nothing needs flushing, whatever the data.
 */
export const algorithm: WeightedAlgorithm<Own> = {
  slug: "weighted-collision",
  title: "one histogram per block, updated with atomics in shared memory",
  source: "Xu et al., 4.3 Collision Method, Figure 2, Table 6",
  parameters: {
    fetch: FETCH,
    warps: { title: "warps per block (N_warp)", least: 1, most: WARP_THREADS },
    unroll: {
      title: "documents that a thread reads before it adds them (N_unroll)",
      default: 1,
      least: 1,
      most: UNROLL_MAX,
    },
  },
  launch(request, limits) {
    const { bins, type } = request;
    const { warps = warpsFor(bins), unroll = 1 } = request.parameters;
    const fetch = fetchOn(limits, request.parameters.fetch);
    if (limits.kind === "workers") {
      if (fetch === "word") return noWords("weighted-collision");
      return { ...oneTable(request), parameters: { fetch, warps, unroll } };
    }
    const threads = Math.min(warps * limits.warp, limits.blockThreads);
    const sums = sharedTableSums(request, threads);
    const bytes = cellBytes(32, sums.sumBits, request);
    const binsPerPass = thatFit(bytes, limits.sharedBytes, bins);
    if (binsPerPass === 0) return tooLittleShared("weighted-collision", bytes, limits);
    // A thread adds all documents that it has read before the next flush.
    const perFetch = documentsPerFetch(type, fetch);
    const most = sums.flushDocuments === null ? UNROLL_MAX : sums.flushDocuments / threads;
    return {
      threads,
      replicas: 1,
      featuresPerBlock: 1,
      counterBits: 32,
      binsPerPass,
      sharedBytes: binsPerPass * bytes,
      ...sums,
      parameters: {
        fetch,
        warps,
        unroll: Math.min(wholeFetches(unroll, perFetch), Math.floor(most / perFetch) * perFetch),
      },
    };
  },
};

function warpsFor(bins: number): number {
  return bins <= TABLE_6_BINS_3 ? COLLISION_WARPS : COLLISION_WARPS_WIDE;
}
