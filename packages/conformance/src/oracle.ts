import type { Axis, SampleType } from "@polybin/core";
import { edgesOf, type SampleArray } from "@polybin/core/backend";

/** What a histogram must say. */
export interface Expected {
  readonly counts: Float64Array;
  underflow: number;
  overflow: number;
  nan: number;
}

/**
 * The definition, one sample after the other: bin i holds edges[i] <= x < edges[i + 1], the last bin of a
 * regular or variable axis its right edge too. It shares nothing with the engine but the edges, which
 * NumPy's vectors check by themselves.
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

/** How many edges are at most x. */
function edgesUpTo(edges: Float64Array, x: number): number {
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= x) from = middle + 1;
    else to = middle;
  }
  return from;
}
