import type { LogicalType } from "../../table/index.ts";
import type { HistogramJson } from "../json.ts";
import { Bins } from "../partial/bins.ts";
import { axisOf } from "../pass/axes.ts";
import { finiteOf, middleRange } from "../pass/middle.ts";
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
  // The values are numbers or bigints, all of one type.
  const values = ascending.map(({ value }) => value) as number[];
  middle.addValues(
    values,
    ascending.map(({ count }) => count),
  );
  return { ...histogramOf(middle, found.joined), nan: bins.nan };
}
