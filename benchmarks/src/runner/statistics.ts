/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The share of intervals that miss the median. */
const MISSED = 0.05;

/**
 * Returns the 95% confidence interval of the median: two of the values, by their ranks, whatever the distribution. Null
 * if there are too few values, which is below six.
 */
export function medianInterval(values: readonly number[]): [low: number, high: number] | null {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  // Each value is below the median with a probability of one half, so ranks are binomial.
  let [term, below, rank] = [0.5 ** n, 0, 0];
  while (2 * (below + term) <= MISSED) {
    below += term;
    rank++;
    term *= (n - rank + 1) / rank;
  }
  return rank === 0 ? null : [sorted[rank - 1]!, sorted[n - rank]!];
}

/** Returns the smallest element that at least this share of all elements does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** Computes 10^9 bytes per second from the median of milliseconds. */
export function throughput(bytes: number, ms: readonly number[]): number {
  return bytes / median(ms) / 1e6;
}

/** Computes throughput as a percentage of the ceiling; null if the ceiling was not measured. */
export function percentOf(gbps: number, ceiling: number | null): number | null {
  return ceiling === null ? null : (gbps / ceiling) * 100;
}

/** Number of standard errors by which two medians may differ. */
const ERRORS = 5;
/** For normal data: standard deviation over MAD, and the standard error of a median over that of a mean. */
const MAD_TO_SIGMA = 1.4826;
const MEDIAN_ERROR = 1.2533;

/** Returns the share by which two medians may differ without a cause: their noise, or the threshold if it is larger. */
export function noiseOf(old: readonly number[], now: readonly number[], threshold: number): number {
  return Math.max(threshold, ERRORS * Math.hypot(relativeError(old), relativeError(now)));
}

/** Returns the standard error of the median, as a share of the median. */
function relativeError(ms: readonly number[]): number {
  const middle = median(ms);
  const deviation = median(ms.map((value) => Math.abs(value - middle)));
  return (MEDIAN_ERROR * MAD_TO_SIGMA * deviation) / Math.sqrt(ms.length) / middle;
}
