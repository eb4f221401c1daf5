import type { Axis, SampleType } from "@polybin/core";
import { edgesOf, type SampleArray } from "@polybin/core/backend";

/** The expected content of a histogram. */
export interface Expected {
  readonly counts: Float64Array;
  underflow: number;
  overflow: number;
  nan: number;
}

/**
 * Counts by the definition, in a plain loop. Bin i holds edges[i] <= x < edges[i + 1], and the last bin of a regular
 * or variable axis includes its right edge. It shares only the edges with the engine, and NumPy's vectors check those
 * separately.
 */
export function countByDefinition(
  axis: Axis,
  type: SampleType,
  samples: SampleArray,
  channel = 0,
  channels = 1,
): Expected {
  const edges = edgesOf(axis, type);
  const { bins } = axis;
  const out: Expected = { counts: new Float64Array(bins), underflow: 0, overflow: 0, nan: 0 };
  const first = edges[0]!;
  const last = edges[bins]!;
  const closed = axis.type !== "integer";
  for (let i = channel; i < samples.length; i += channels) {
    const x = samples[i]!;
    if (Number.isNaN(x)) out.nan++;
    else if (x < first) out.underflow++;
    else if (x > last || (x === last && !closed)) out.overflow++;
    else out.counts[Math.min(bins - 1, edgesUpTo(edges, x) - 1)]!++;
  }
  return out;
}

/** Returns the number of edges that are at most x. */
export function edgesUpTo(edges: Float64Array, x: number): number {
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= x) from = middle + 1;
    else to = middle;
  }
  return from;
}
