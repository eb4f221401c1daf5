import type { LogicalType } from "../../table/index.ts";
import type { HistogramJson } from "../json.ts";
import { Bins } from "../partial/bins.ts";
import { axisOf, type End } from "../pass/axes.ts";
import { type Finite, finiteOf, middleRange } from "../pass/middle.ts";
import type { Counted } from "../values/values.ts";
import { coreOf, histogramOf } from "./histogram-json.ts";

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
