import type { HistogramJson } from "../json.ts";
import type { Bins } from "../partial/bins.ts";

/** The middle of the values that has a histogram of its own. */
const CORE = { from: 0.01, to: 0.99 };
/** The range is this number of times as wide as the middle, at least, if the middle has its own histogram. */
const CORE_SHARE = 10;
/** The fewest bins of such a histogram. */
const CORE_BINS = 16;

/** The counts of the result: each of its bins joins some of those that were counted. */
export function histogramOf(bins: Bins, joined: number): HistogramJson {
  const { axis, edges, counts, underflow, overflow, nan } = bins;
  return {
    type: joined > 1 && axis.type === "integer" ? "regular" : axis.type,
    edges: Array.from(edges).filter((_, i) => i % joined === 0),
    counts: joinedCounts(counts, joined),
    underflow,
    overflow,
    nan,
  };
}

/** A histogram of the middle of the values, if a few of them make the range much wider. Null otherwise. */
export function coreOf(bins: Bins, joined: number): HistogramJson | null {
  const { axis, edges, counts, underflow, overflow, nan } = bins;
  if (axis.type === "boolean" || joined === 1) return null;
  const total = counts.reduce((sum, count) => sum + count, underflow + overflow);
  const first = binAt(counts, CORE.from * total - underflow);
  const last = binAt(counts, CORE.to * total - underflow);
  const width = last - first + 1;
  if (width < CORE_BINS || width * CORE_SHARE > counts.length) return null;
  const each = Math.ceil(width / (counts.length / joined));
  const end = Math.min(counts.length, first + Math.ceil(width / each) * each);
  const inside = counts.subarray(first, end);
  const before = counts.subarray(0, first).reduce((sum, count) => sum + count, underflow);
  return {
    type: "regular",
    edges: Array.from(edges.subarray(first, end + 1)).filter((_, i) => i % each === 0 || i === end - first),
    counts: joinedCounts(inside, each),
    underflow: before,
    overflow: total - before - inside.reduce((sum, count) => sum + count, 0),
    nan,
  };
}

/** The bin that holds this rank. */
function binAt(counts: Float64Array, rank: number): number {
  let [bin, below] = [0, counts[0]!];
  while (bin < counts.length - 1 && below < rank) below += counts[++bin]!;
  return bin;
}

function joinedCounts(counts: Float64Array, joined: number): number[] {
  const sums = new Array<number>(Math.ceil(counts.length / joined)).fill(0);
  for (const [bin, count] of counts.entries()) sums[Math.floor(bin / joined)]! += count;
  return sums;
}
