import { edgesOf, isClosed, nextUp, type OrderedAxis } from "../../axis/index.ts";
import { HALF_VALUES } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import { gridOf, type Lowering, lineOf } from "../../lowering/index.ts";
import { directLoop } from "./direct.ts";
import { everyHalfLoop, tableLoop } from "./halves.ts";
import { rankedByKeys } from "./key-grid.ts";
import { rankedByLine } from "./line.ts";
import type { Loop } from "./loop.ts";
import { type Ranked, rankedLoop } from "./ranked.ts";
import { searchLoop } from "./search.ts";
import { rankedByValues } from "./value-grid.ts";

/** Returns the loop that counts samples of more than a byte. It has the codes of the lowering. */
export function loopOf(axis: OrderedAxis, lowering: Lowering): Loop {
  const { bins } = lowering;
  switch (lowering.kind) {
    case "table":
      return tableLoop(lowering);
    case "direct":
      return bins === HALF_VALUES && !lowering.flow ? everyHalfLoop(lowering.start) : directLoop(lowering);
    default:
      return loopOverEdges(axis, lowering.type, rankedBy);
  }
}

/** Returns the loop that compares samples of any type with the edges of an axis. @param by null: only a search finds rows */
export function loopOverEdges(
  axis: OrderedAxis,
  type: SampleType,
  by: (thresholds: Float64Array) => Ranked | null,
): Loop {
  const { bins } = axis;
  const thresholds = thresholdsOf(axis, edgesOf(axis, type));
  const ranked = thresholds.length > bins ? by(thresholds) : null;
  return ranked === null ? searchLoop(thresholds, bins) : rankedLoop(bins, ranked);
}

/** Returns the fastest way to find the rows of samples. Null: only a search finds them. */
function rankedBy(thresholds: Float64Array): Ranked | null {
  const line = lineOf(thresholds);
  if (line !== null) return rankedByLine(line);
  const grid = gridOf(thresholds);
  return grid && (grid.by === "values" ? rankedByValues(grid) : rankedByKeys(grid));
}

/** Returns the lowest value of each bin, and of overflow unless no value overflows. */
function thresholdsOf(axis: OrderedAxis, edges: Float64Array): Float64Array {
  if (!isClosed(axis)) return edges;
  const end = edges[axis.bins]!;
  if (end === Infinity) return edges.subarray(0, -1);
  const thresholds = edges.slice();
  thresholds[axis.bins] = nextUp(end);
  return thresholds;
}
