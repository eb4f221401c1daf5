import { divideCeiling, WARP_THREADS } from "../base/index.ts";
import type { WeightedAlgorithm, WeightedLaunchRequest, WeightedLaunchRule } from "../plan/index.ts";
import { documentsPerFetch, FETCH, type Fetch, fetchOn, noWords, wholeFetches } from "./lib/fetch.ts";
import { FAST_ADDENDS, SMALL_BINS, TABLE_6_BINS_3 } from "./lib/limits.ts";
import { tooLittleShared } from "./lib/shared.ts";
import { cellBytes, oneTable, sharedTableSums, thatFit } from "./lib/weighted-shared.ts";

/** Bins up to which each row of Table 6 applies. The last row applies above. */
export const TABLE_6_BINS_1 = 128;

export const TABLE_6_BINS_2 = 256;

/** Table 6: warps per block and units of a thread's buffer, for weighted-collision-reduced. */
export const REDUCED_WARPS_1 = 2;

export const REDUCED_WARPS_3 = 3;

export const REDUCED_WARPS_WIDE = 6;

export const REDUCED_BUFFER_1 = 10;

export const REDUCED_BUFFER_2 = 8;

export const REDUCED_BUFFER_3 = 5;

export const REDUCED_BUFFER_WIDE = 10;

/** Maximum number of units of a thread's buffer. A unit's count then fits a byte, as Algorithm 2 masks it. */
export const BUFFER_MAX = 64;

/** Position of a buffer unit's value, in bits above its count (Figure 3). */
export const BUFFER_VALUE_SHIFT = 16;

/** Maximum number of sub-histograms of a feature, and of their bytes for a launch. */
export const SUB_HISTOGRAMS = 65_535;

export const SUB_HISTOGRAM_BYTES: number = 2 ** 28;

type Own = {
  readonly fetch: Fetch;
  readonly buffer: number;
  readonly warps: number;
  readonly reduce: "tables" | "atomic";
};

/**
 * Like weighted-collision, but each thread first gathers N_buffer documents in its own buffer. Equal values become
 * one unit, at a place that depends on the value and the thread. Then the threads add unit i of their buffers
 * together. Equal values of different threads are in different units, so they rarely collide.
 *
 *   unit:   value in the upper 16 bits, count in the lower; a separate word holds the sum of its weights
 *   place:  (value mod N_buffer + thread) mod N_buffer, then the next one (linear probing)
 *
 * A thread's buffer holds whole fetches, so N_buffer is rounded up to them.
 *
 * With `reduce: "tables"` a block ends after one filling of its buffers, as in Algorithm 2. It stores a sub-histogram,
 * and a second kernel merges these. With `"atomic"` a block fills its buffers again and again and adds its table to the
 * totals at the end, so that it writes far less.
 *
 * The paper's listing (Algorithm 2, line 28) stores the weight of a value that is already there. This implementation
 * adds it, as the paper's text says.
 */
export const algorithm: WeightedAlgorithm<Own> = {
  slug: "weighted-collision-reduced",
  title: "one buffer per thread that separates equal values, then one histogram per block",
  source: "Xu et al., 4.4 Collision-Reduced Method, Algorithm 2, Figure 3, Table 6",
  parameters: {
    fetch: FETCH,
    buffer: { title: "units of a thread's buffer (N_buffer)", least: 1, most: BUFFER_MAX },
    warps: { title: "warps per block (N_warp)", least: 1, most: WARP_THREADS },
    reduce: {
      title:
        "store a sub-histogram per filling of the buffers and merge them, or add tables to the totals atomically",
      default: "atomic",
      of: ["tables", "atomic"],
    },
  },
  // The paper found this the safe choice for any data.
  preference: ({ precision, bins }, kind) =>
    kind === "cpu" || precision === "reproducible" ? null : bins <= SMALL_BINS ? 2 : 1,
  launch(request, limits) {
    const { bins, type } = request;
    const table6 = table6For(bins);
    const { warps = table6.warps, reduce = "atomic" } = request.parameters;
    const fetch = fetchOn(limits, request.parameters.fetch);
    const perFetch = documentsPerFetch(type, fetch);
    const buffer = wholeFetches(request.parameters.buffer ?? table6.buffer, perFetch);
    const parameters = { fetch, buffer, warps, reduce };
    // A unit has its word even if nothing is counted, because the word holds the value and whether the unit is in
    // use.
    const unitBytes = cellBytes(32, 32, { ...request, counts: true });
    if (limits.kind === "workers") {
      if (fetch === "word") return noWords("weighted-collision-reduced");
      if (reduce === "tables") {
        return "weighted-collision-reduced with reduce tables needs a GPU: workers share one table";
      }
      return { ...oneTable(request, buffer * unitBytes), parameters };
    }
    const threads = Math.min(warps * limits.warp, limits.blockThreads);
    if (request.precision === "fast" && threads * buffer > FAST_ADDENDS) {
      return `weighted-collision-reduced adds at most ${FAST_ADDENDS} floats between two flushes and ${threads} threads gather ${threads * buffer}`;
    }
    const sums = sharedTableSums(request, threads * buffer);
    const buffers = threads * buffer * unitBytes;
    const bytes = cellBytes(32, sums.sumBits, request);
    const binsPerPass = thatFit(bytes, limits.sharedBytes - buffers, bins);
    if (binsPerPass < 1) return tooLittleShared("weighted-collision-reduced", buffers + bytes, limits);
    const launch = {
      threads,
      replicas: 1,
      featuresPerBlock: 1,
      counterBits: 32,
      binsPerPass,
      sharedBytes: buffers + binsPerPass * bytes,
      ...sums,
      parameters,
    } as const;
    return reduce === "tables" ? inSubHistograms(request, launch, binsPerPass * bytes) : launch;
  },
};

/**
 * Returns a launch with a block, and so a sub-histogram, for each N_buffer * N_thread documents (Algorithm 2, line 1).
 * @param bytes the size of a sub-histogram
 */
function inSubHistograms(
  { bins, documents }: WeightedLaunchRequest<Own>,
  launch: WeightedLaunchRule<Own>,
  bytes: number,
): WeightedLaunchRule<Own> | string {
  const { threads, binsPerPass, parameters } = launch;
  const segmentDocuments = threads * parameters!.buffer;
  const blocks = divideCeiling(documents, segmentDocuments);
  const all = blocks * divideCeiling(bins, binsPerPass) * bytes;
  if (blocks > SUB_HISTOGRAMS || all > SUB_HISTOGRAM_BYTES) {
    return `weighted-collision-reduced with reduce tables stores at most ${SUB_HISTOGRAMS} sub-histograms of ${SUB_HISTOGRAM_BYTES} bytes in total for a feature and ${documents} documents need ${blocks} of ${all} bytes: use reduce atomic`;
  }
  return { ...launch, segmentDocuments, subHistogramBytes: bytes };
}

/** Returns the row of Table 6 for a number of bins. The row for 1,024 bins also applies above. */
function table6For(bins: number): { readonly warps: number; readonly buffer: number } {
  if (bins <= TABLE_6_BINS_1) return { warps: REDUCED_WARPS_1, buffer: REDUCED_BUFFER_1 };
  if (bins <= TABLE_6_BINS_2) return { warps: REDUCED_WARPS_1, buffer: REDUCED_BUFFER_2 };
  if (bins <= TABLE_6_BINS_3) return { warps: REDUCED_WARPS_3, buffer: REDUCED_BUFFER_3 };
  return { warps: REDUCED_WARPS_WIDE, buffer: REDUCED_BUFFER_WIDE };
}
