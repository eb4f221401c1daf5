import type { LogicalType } from "../../table/index.ts";
import type { HistogramJson } from "../json.ts";
import { Bins } from "../partial/bins.ts";
import { axisOf, type End } from "../pass/axes.ts";
import { compareValues } from "../values/keys.ts";
import type { Counted } from "../values/values.ts";
import { coreOf, histogramOf } from "./histogram-json.ts";

/** The middle of the values that has a histogram of its own. */
const MIDDLE = { from: 0.01, to: 0.99 };
/** The range is this number of times as wide as the middle, at least, if the middle has its own histogram. */
const SHARE = 4;
const CORE_BINS = 128;

/**
 * A histogram of the middle of the values, if a few of them make the range much wider. Null otherwise. It comes from the
 * values themselves if the counts of all are known, else from the bins of the whole range.
 */
export function middleOf(
  logical: LogicalType,
  sorted: readonly Counted[] | null,
  bins: Bins,
  joined: number,
): HistogramJson | null {
  if (sorted === null) return coreOf(bins, joined);
  if (logical.kind === "boolean") return null;
  const ascending = finiteOf(sorted);
  const ends = middleRange(ascending);
  if (ends === null) return null;
  const found = axisOf(logical, CORE_BINS, ...ends);
  if (found === null) return null;
  const middle = new Bins(found.axis, bins.type);
  const { edges } = middle;
  for (const counted of ascending) fill(middle, edges, counted);
  return { ...histogramOf(middle, found.joined), nan: bins.nan };
}

/** Finite values with their counts, the smallest first. */
export function finiteOf(sorted: readonly Counted[]): Finite[] {
  return sorted
    .filter(
      (counted): counted is Finite => typeof counted.value === "bigint" || Number.isFinite(counted.value),
    )
    .sort((a, b) => compareValues(a.value, b.value));
}

/** The range of the middle of the values. Null unless the whole range is much wider. */
export function middleRange(ascending: readonly Finite[]): [lo: End, hi: End] | null {
  const total = ascending.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const [lo, hi] = [valueAt(ascending, MIDDLE.from * total), valueAt(ascending, MIDDLE.to * total)];
  const width = Number(hi) - Number(lo);
  const whole = Number(ascending.at(-1)!.value) - Number(ascending[0]!.value);
  return width > 0 && whole >= SHARE * width ? [lo, hi] : null;
}

interface Finite extends Counted {
  readonly value: End;
}

/** The smallest value that at least this number of values do not exceed. */
function valueAt(ascending: readonly Finite[], rank: number): End {
  let below = 0;
  for (const { value, count } of ascending) {
    below += count;
    if (below >= rank) return value;
  }
  return ascending.at(-1)!.value;
}

/** Adds values to their bin. Comparing a bigint with a double is exact. */
function fill(bins: Bins, edges: Float64Array, { value, count }: Finite): void {
  const isClosed = bins.axis.type === "regular" || bins.axis.type === "variable";
  const last = edges.at(-1)!;
  if (value < edges[0]!) bins.underflow += count;
  else if (value > last || (value >= last && !isClosed)) bins.overflow += count;
  else bins.counts[Math.min(binOf(edges, value), bins.counts.length - 1)]! += count;
}

/** The last edge that is not above the value. */
function binOf(edges: Float64Array, value: End): number {
  let [from, to] = [0, edges.length];
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= value) from = middle;
    else to = middle;
  }
  return from;
}
