import { AnalysisError } from "../error.ts";
import { type Levels, levelCounts, newTable, type Table } from "./levels.ts";

/**
 * Returns the table that gives a picture the histogram of another one, as scikit-image's `match_histograms` does for one
 * channel (with `channel_axis`). A value becomes the reference's value with the same fraction of samples up to it,
 * interpolated linearly and truncated. Values that do not occur get the table's entry of the next lower one that does.
 * @param histogram one bin per value: 256 or 65,536 bins.
 * @param reference the same bins. Its number of samples may differ.
 * @returns 256 bytes, or 65,536 16-bit numbers.
 * @throws ERR_INPUT for invalid counts, or if there are no samples. ERR_AXIS for other bins, or for different ones.
 */
export function match(histogram: Levels, reference: Levels): Table {
  const counts = levelCounts(histogram);
  const goal = levelCounts(reference, "reference");
  if (goal.length !== counts.length) {
    throw new AnalysisError(
      "ERR_AXIS",
      `expected ${counts.length} bins for reference, as in histogram, but received ${goal.length}`,
    );
  }
  const { values, fractions } = filled(goal);
  const table = newTable(counts.length);
  const source = filled(counts);
  let [next, entry] = [0, 0];
  for (const [i, value] of source.values.entries()) {
    table.fill(entry, next, value);
    entry = interpolated(source.fractions[i]!, fractions, values);
    next = value;
  }
  return table.fill(entry, next);
}

interface Filled {
  readonly values: Float64Array;
  /** The fraction of samples up to each value. */
  readonly fractions: Float64Array;
}

function filled(counts: Float64Array): Filled {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const values = Float64Array.from(counts.keys()).filter((value) => counts[value]! > 0);
  let sum = 0;
  const fractions = values.map((value) => {
    sum += counts[value]!;
    return sum / total;
  });
  return { values, fractions };
}

/** `numpy.interp` of one number. */
function interpolated(x: number, xs: Float64Array, ys: Float64Array): number {
  let [from, to] = [-1, xs.length];
  while (to - from > 1) {
    const half = (from + to) >> 1;
    if (xs[half]! <= x) from = half;
    else to = half;
  }
  if (from < 0) return ys[0]!;
  if (from === xs.length - 1 || xs[from] === x) return ys[from]!;
  const slope = (ys[from + 1]! - ys[from]!) / (xs[from + 1]! - xs[from]!);
  return slope * (x - xs[from]!) + ys[from]!;
}
