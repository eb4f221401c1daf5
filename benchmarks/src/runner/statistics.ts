/** The value in the middle, or between the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that so large a share of all is at most: an element of them. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** Bytes in milliseconds as 10^9 bytes a second, from the median. */
export function throughput(bytes: number, ms: readonly number[]): number {
  return bytes / median(ms) / 1e6;
}

/** Throughput as a share of what was measured to be possible; null where that was not measured. */
export function percentOf(gbps: number, ceiling: number | null): number | null {
  return ceiling === null ? null : (gbps / ceiling) * 100;
}
