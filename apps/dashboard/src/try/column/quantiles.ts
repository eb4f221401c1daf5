/** Percentages of the quantiles that the page shows. */
export const QUANTILES: readonly number[] = [1, 5, 25, 50, 75, 95, 99];
