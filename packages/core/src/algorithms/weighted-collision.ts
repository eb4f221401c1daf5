import { WARP_THREADS } from "../base/index.ts";
import type { WeightedAlgorithm } from "../plan/index.ts";
import { TABLE_6_BINS_3, UNROLL_MAX } from "./lib/limits.ts";
import { tooLittleShared } from "./lib/shared.ts";
import { cellBytes, oneTable, sharedTableSums, thatFit } from "./lib/weighted-shared.ts";

/** Table 6: warps a block of weighted-collision, up to 512 bins and beyond. */
export const COLLISION_WARPS = 2;

export const COLLISION_WARPS_WIDE = 4;

type Own = { readonly warps: number; readonly unroll: number };

/**
 * One histogram a block, which all its threads add to with atomics. Equal values nearby wait for one another: it is
 * fast on scattered data and slow on what the paper calls degenerate.
 *
 * A sum of integers has two words. The atomic addition to the lower one returns what was there before, which tells
 * whether it wrapped; only then the upper one is touched. So nothing is flushed, whatever the data.
 */
export const algorithm: WeightedAlgorithm<Own> = {
  slug: "weighted-collision",
  title: "one histogram a block, atomics in shared memory",
  source: "Xu et al., 4.3 Collision Method, Figure 2, Table 6",
  parameters: {
    warps: { title: "warps a block (N_warp)", least: 1, most: WARP_THREADS },
    unroll: {
      title: "documents that a thread reads before it adds (N_unroll)",
      default: 1,
      least: 1,
      most: UNROLL_MAX,
    },
  },
  launch(request, limits) {
    const { bins } = request;
    const { warps = warpsFor(bins), unroll = 1 } = request.parameters;
    if (limits.kind === "workers") return { ...oneTable(request), parameters: { warps, unroll } };
    const threads = Math.min(warps * limits.warp, limits.blockThreads);
    const sums = sharedTableSums(request, threads);
    const bytes = cellBytes(32, sums.sumBits, request);
    const binsPerPass = thatFit(bytes, limits.sharedBytes, bins);
    if (binsPerPass === 0) return tooLittleShared("weighted-collision", bytes, limits);
    return {
      threads,
      replicas: 1,
      featuresPerBlock: 1,
      counterBits: 32,
      binsPerPass,
      sharedBytes: binsPerPass * bytes,
      ...sums,
      parameters: {
        warps,
        // What a thread has read it adds before the next flush.
        unroll: Math.min(unroll, sums.flushDocuments === null ? unroll : sums.flushDocuments / threads),
      },
    };
  },
};

function warpsFor(bins: number): number {
  return bins <= TABLE_6_BINS_3 ? COLLISION_WARPS : COLLISION_WARPS_WIDE;
}
