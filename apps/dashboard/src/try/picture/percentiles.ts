/** The percentiles that the page shows. */
export const PERCENTILES: readonly number[] = [1, 5, 25, 50, 75, 95, 99];

/**
 * Returns the smallest values that at least these percentages of the samples do not exceed, in one pass.
 * @param counts number of samples with each value, from 0 on; at least one sample
 * @param percents in ascending order
 */
export function percentiles(counts: ArrayLike<number>, percents: readonly number[] = PERCENTILES): number[] {
  let total = 0;
  for (let value = 0; value < counts.length; value++) total += counts[value]!;
  if (total === 0) throw new RangeError("expected at least one sample");
  let value = -1;
  let seen = 0;
  const values: number[] = [];
  for (const percent of percents) {
    const wanted = Math.max(1, Math.ceil((total * percent) / 100));
    while (seen < wanted) seen += counts[++value]!;
    values.push(value);
  }
  return values;
}
