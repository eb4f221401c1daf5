import { isClosed } from "./axis.ts";
import { NAN, OVERFLOW, UNDERFLOW } from "./kinds.ts";
import type { OrderedAxis } from "./types.ts";

/** Returns a value's code directly from the definition, by comparing f64 edges. */
export function codeOfValue(axis: OrderedAxis, edges: Float64Array, value: number): number {
  const { bins } = axis;
  if (Number.isNaN(value)) return bins + NAN;
  if (value < edges[0]!) return bins + UNDERFLOW;
  const end = edges[bins]!;
  if (value > end || (value === end && !isClosed(axis))) return bins + OVERFLOW;
  return Math.min(lastAtMost(edges, bins, value), bins - 1);
}

/** Returns the index of the last of edges[0 … count - 1] that is <= value. edges[0] must be <= value. */
export function lastAtMost(edges: ArrayLike<number>, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (edges[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}
