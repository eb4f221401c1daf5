import type { Histogram } from "@polybin/core";
import type { Percent } from "../options/index.ts";

/** The place of a percentile. */
export interface Percentile {
  readonly percent: number;
  /** The bin that holds it; null if it lies outside the bins, or if there are no samples. */
  readonly bin: number | null;
  /** It is not below this; null if nothing bounds it. */
  readonly lo: number | null;
  /** It is not above this; null if nothing bounds it. */
  readonly hi: number | null;
}

/**
 * Finds the smallest value that at least this share of the samples does not exceed; for 0 percent the smallest value.
 * The counts determine its bin exactly. Samples outside the bins take part, NaN does not.
 */
export function percentileOf(histogram: Histogram, { text, parts, whole }: Percent): Percentile {
  const { counts, edges, bins, underflow, overflow } = histogram;
  const percent = Number(text);
  const samples = counts.reduce((sum, count) => sum + count, underflow + overflow);
  if (samples === 0) return { percent, bin: null, lo: null, hi: null };
  const rank = Math.max(1, Number((parts * BigInt(samples) + whole - 1n) / whole));
  let below = underflow;
  if (rank <= below) return { percent, bin: null, lo: null, hi: edges[0]! };
  for (let bin = 0; bin < bins; bin++) {
    below += counts[bin]!;
    if (rank <= below) return { percent, bin, lo: edges[bin]!, hi: edges[bin + 1]! };
  }
  return { percent, bin: null, lo: edges[bins]!, hi: null };
}
