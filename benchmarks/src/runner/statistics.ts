/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
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
