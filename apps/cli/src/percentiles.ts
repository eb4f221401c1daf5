import { type Histogram, PolybinError } from "@polybin/core";

/** A percentage as it was typed, exactly: `parts / whole` of 1. */
export interface Percent {
  readonly text: string;
  readonly parts: bigint;
  readonly whole: bigint;
}

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

const DECIMAL = /^(?=\.?\d)(\d{0,3})(?:\.(\d{1,15}))?$/;

/** Reads `50` or `1,50,99.9`. @throws ERR_INPUT */
export function parsePercents(text: string): Percent[] {
  return text.split(",").map((part) => {
    const [, integer, fraction = ""] = DECIMAL.exec(part.trim()) ?? [];
    const parts = integer === undefined ? null : BigInt(integer + fraction);
    const whole = 100n * 10n ** BigInt(fraction.length);
    if (parts !== null && parts <= whole) return { text: part.trim(), parts, whole };
    throw new PolybinError(
      "ERR_INPUT",
      `expected percentages from 0 to 100, such as 1,50,99.9, for --percentiles but received ${JSON.stringify(part)}`,
    );
  });
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
