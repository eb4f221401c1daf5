import { checkedNumber, checkOptions, expected } from "../error.ts";
import { type Levels, levelCounts, newTable, type Table } from "./levels.ts";

/** Options of `stretch`. */
export interface StretchOptions {
  /** The percentile that becomes 0. Default: 0, the smallest value. */
  readonly low?: number;
  /** The percentile that becomes the largest value of the type. Default: 100, the largest value. */
  readonly high?: number;
}

/**
 * Returns the table that stretches a histogram between two percentiles, as scikit-image's
 * `rescale_intensity(image, in_range=tuple(numpy.percentile(image, (low, high))))` does. Values are clipped to the
 * percentiles, mapped linearly, and truncated:
 *
 *   table[v] = floor((clip(v, p_low, p_high) - p_low) / (p_high - p_low) * (levels - 1))
 *
 * The percentiles are those of NumPy's default method "linear", which interpolates between two values. If both are equal,
 * every value becomes this one.
 * @param histogram one bin per value: 256 or 65,536 bins.
 * @returns 256 bytes, or 65,536 16-bit numbers.
 * @throws ERR_INPUT for invalid counts or percentiles, or if there are no samples. ERR_AXIS for other bins.
 */
export function stretch(histogram: Levels, options: StretchOptions = {}): Table {
  checkOptions(options, ["low", "high"]);
  const low = checkedNumber(options.low ?? 0, "low", 0, 100);
  const high = checkedNumber(options.high ?? 100, "high", 0, 100);
  if (low >= high) throw expected("ERR_INPUT", "high", `a percentile above low (${low})`, high);
  const counts = levelCounts(histogram);
  const [from, to] = [percentile(counts, low), percentile(counts, high)];
  const most = counts.length - 1;
  const table = newTable(counts.length);
  if (from === to) return table.fill(Math.trunc(from));
  return table.map((_, value) => ((Math.min(Math.max(value, from), to) - from) / (to - from)) * most);
}

/** NumPy's percentile of values with these counts, in the order of its roundings. */
function percentile(counts: Float64Array, percent: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const at = (total - 1) * (percent / 100);
  const before = Math.floor(at);
  const share = at - before;
  const a = valueAt(counts, before);
  const b = valueAt(counts, Math.min(before + 1, total - 1));
  const apart = b - a;
  return share < 0.5 ? a + apart * share : b - apart * (1 - share);
}

/** The value with this rank, from 0. */
function valueAt(counts: Float64Array, rank: number): number {
  let below = 0;
  return counts.findIndex((count) => {
    below += count;
    return rank < below;
  });
}
