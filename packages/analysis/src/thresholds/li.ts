import { type Bounded, type Counted, checkUnweighted, isIntegerType, sumOf } from "../cells.ts";
import { type Trimmed, trimmed } from "./trimmed.ts";

/**
 * Returns Li's threshold, which minimizes the cross entropy between the samples and their two means. It follows
 * scikit-image's `threshold_li`: the iteration starts from the mean, and ends when a step is at most 0.5, or for floats half
 * of the smallest distance between two non-empty bins. It equals scikit-image's result except for the last bits of its
 * logarithms. Samples above the threshold are the foreground.
 *
 * The threshold lies between the centers of two bins. `low` and `high` are the thresholds that the same formula gives if
 * all samples lie at the lower, or at the upper, ends of their bins, above the center of the first bin. If each bin holds
 * one value, all three are equal. If only one bin holds samples, it is the threshold. Samples outside the bins take no part.
 *
 * Source: C. H. Li, P. K. S. Tam, "An iterative algorithm for minimum cross entropy thresholding", Pattern Recognition
 * Letters 18 (8), 1998.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_INPUT if all bins are empty. ERR_UNSUPPORTED for sums
 * of weights, because scikit-image defines it for pictures only.
 */
export function li(histogram: Counted): Bounded {
  const { counts, centers, at } = trimmed(histogram);
  checkUnweighted(histogram, "histogram");
  if (counts.length === 1) return at(0);
  const least = centers[0]!;
  const values = centers.map((center) => center - least);
  const tolerance = isIntegerType(histogram.type) ? 0.5 : smallestStep(counts, values) / 2;
  let current = -2 * tolerance;
  let next = meanOf(counts, values, 0, counts.length);
  let split = 0;
  while (Math.abs(next - current) > tolerance) {
    current = next;
    split = values.findIndex((value) => value > current);
    next = between(meanOf(counts, values, 0, split), meanOf(counts, values, split, counts.length));
  }
  const end = (of: "low" | "high"): number => endOf(counts, at, split, of);
  const value = next + least;
  return { value, low: Math.min(end("low"), value), high: Math.max(end("high"), value) };
}

/** The threshold for the same split of samples that all lie at one end of their bins. */
function endOf(counts: Float64Array, at: Trimmed["at"], split: number, of: "low" | "high"): number {
  const least = at(0).value;
  const ends = counts.map((_, i) => Math.max(at(i)[of] - least, 0));
  return least + between(meanOf(counts, ends, 0, split), meanOf(counts, ends, split, counts.length));
}

/** The logarithmic mean of two means. Its limit for a mean of 0 is 0. */
function between(back: number, fore: number): number {
  if (back === 0) return 0;
  return back === fore ? back : (back - fore) / (Math.log(back) - Math.log(fore));
}

function meanOf(counts: Float64Array, values: Float64Array, from: number, to: number): number {
  const weights = counts.subarray(from, to);
  return sumOf(weights, (count, i) => count * values[from + i]!) / sumOf(weights, (count) => count);
}

function smallestStep(counts: Float64Array, values: Float64Array): number {
  const filled = values.filter((_, i) => counts[i]! > 0);
  return filled.subarray(1).reduce((least, value, i) => Math.min(least, value - filled[i]!), Infinity);
}
