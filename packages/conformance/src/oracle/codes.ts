import type { Axis, SampleType } from "@polybin/core";
import { type CircularAxis, edgesOf } from "@polybin/core/backend";
import { unitsOf } from "./exact.ts";

/** A sample as a number. 64-bit integers stay whole. */
export type Value = number | bigint;

/** Cells of an axis after its bins: underflow, overflow, NaN. */
export const FLOW = 3;

/**
 * Returns the definition of an axis: the bin of a value, or bins + 0 for underflow, + 1 for overflow, + 2 for NaN. Bin i
 * holds edges[i] <= x < edges[i + 1], and the last bin of a regular or variable axis includes its right edge unless it is
 * open. It shares only the edges with the engine, and NumPy's vectors check those separately.
 */
export function codeOf(axis: Axis, type: SampleType): (x: Value) => number {
  const { bins } = axis;
  const [below, above, nan] = [bins, bins + 1, bins + 2];
  switch (axis.type) {
    case "category": {
      const places = new Map((axis.values as readonly Value[]).map((value, bin) => [value, bin]));
      const isText = typeof axis.values[0] === "string";
      return (x) => {
        // Every whole number among the values and the codes is a safe integer.
        const number = Number(x);
        if (typeof x === "bigint" && BigInt(number) !== x) return above;
        if (isText) return Number.isInteger(number) && number >= 0 && number < bins ? number : above;
        return places.get(number) ?? above;
      };
    }
    case "boolean":
      return (x) => (Number.isNaN(x) ? nan : Number(x) === 0 ? 0 : 1);
    case "circular": {
      const turn = turnOf(axis);
      return (x) => {
        if (Number.isNaN(x)) return nan;
        return x === -Infinity ? below : x === Infinity ? above : turn(x);
      };
    }
  }
  const edges = edgesOf(axis, type);
  const [first, last] = [edges[0]!, edges[bins]!];
  const closed = axis.type !== "integer" && !("closed" in axis && axis.closed === false);
  return (x) => {
    if (Number.isNaN(x)) return nan;
    if (x < first) return below;
    // A 64-bit integer is compared with the edges as it is.
    if (x > last || (x >= last && !closed)) return above;
    return Math.min(bins - 1, edgesUpTo(edges, x) - 1);
  };
}

/** Returns the number of edges that are at most x. */
function edgesUpTo(edges: Float64Array, x: Value): number {
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= x) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the bin of a finite number on a circle, in integers: all f64 are multiples of 2^-1074. */
function turnOf(axis: CircularAxis): (x: Value) => number {
  const lo = unitsOf(axis.lo);
  const from = Array.from(edgesOf(axis, "f64"), (edge) => unitsOf(edge) - lo);
  const period = unitsOf(axis.hi - axis.lo);
  return (x) => {
    const at = (((unitsOf(x) - lo) % period) + period) % period;
    let bin = axis.bins - 1;
    while (from[bin]! > at) bin--;
    return bin;
  };
}
