/** The percentiles that the page shows. */
export const PERCENTILES: readonly number[] = [1, 5, 25, 50, 75, 95, 99];

/**
 * Returns the smallest value that at least `percent` percent of the samples do not exceed.
 * @param counts number of samples with each value, from 0 on; at least one sample
 */
export function percentile(counts: readonly number[], percent: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const wanted = Math.max(1, Math.ceil((total * percent) / 100));
  let seen = 0;
  for (const [value, count] of counts.entries()) {
    seen += count;
    if (seen >= wanted) return value;
  }
  throw new RangeError("expected at least one sample");
}
