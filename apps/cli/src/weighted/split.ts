import type { FeatureResult } from "./feature-sums.ts";

/** The place where a feature divides the documents so that the weights on either side are most alike. */
export interface Split {
  /** An inner edge. Documents below it are on the left. */
  readonly at: number;
  /** The amount by which it reduces the sum of squared deviations of the weights from their mean. */
  readonly gain: number;
}

/** The best split between two bins, as regression trees search for it. Null if there is one bin. */
export function splitOf({ edges, counts, sums }: FeatureResult): Split | null {
  const add = (a: number, b: number) => a + b;
  const [count, sum] = [counts.reduce(add, 0), sums.reduce(add, 0)];
  let [left, leftSum] = [0, 0];
  let best: Split | null = null;
  for (let bin = 0; bin + 1 < counts.length; bin++) {
    left += counts[bin]!;
    leftSum += sums[bin]!;
    const right = count - left;
    const gain = leftSum ** 2 / left + (sum - leftSum) ** 2 / right - sum ** 2 / count;
    if (best === null || gain > best.gain) best = { at: edges[bin + 1]!, gain };
  }
  return best;
}
