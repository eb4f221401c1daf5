import { edgesOf, isClosed, nextUp, type OrderedAxis } from "../../axis/index.ts";
import { HALF_VALUES } from "../../base/index.ts";
import { type Lowering, lineOf } from "../../lowering/index.ts";
import { directLoop } from "./direct.ts";
import { evenLoop } from "./even.ts";
import { everyHalfLoop, tableLoop } from "./halves.ts";
import type { Loop } from "./loop.ts";
import { unevenLoop } from "./uneven.ts";

/** Returns the loop that counts samples of more than a byte. It has the codes of the lowering. */
export function loopOf(axis: OrderedAxis, lowering: Lowering): Loop {
  const { bins } = lowering;
  switch (lowering.kind) {
    case "table":
      return tableLoop(lowering);
    case "direct":
      return bins === HALF_VALUES && !lowering.flow ? everyHalfLoop(lowering.start) : directLoop(lowering);
    default: {
      const thresholds = thresholdsOf(axis, edgesOf(axis, lowering.type));
      const line = lineOf(thresholds);
      return line === null || thresholds.length <= bins ? unevenLoop(thresholds, bins) : evenLoop(line, bins);
    }
  }
}

/** Returns the least value of each bin, and of overflow unless no value overflows. */
function thresholdsOf(axis: OrderedAxis, edges: Float64Array): Float64Array {
  if (!isClosed(axis)) return edges;
  const end = edges[axis.bins]!;
  if (end === Infinity) return edges.subarray(0, -1);
  const thresholds = edges.slice();
  thresholds[axis.bins] = nextUp(end);
  return thresholds;
}
