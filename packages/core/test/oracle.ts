import { edgesOf, type OrderedAxis } from "../src/axis/axis.ts";
import { codeOfValue } from "../src/axis/code-of-value.ts";
import type { SampleArray, SampleType } from "../src/input/sample-types.ts";

/**
 * The oracle. It finds the bin of every sample directly from the definition of the axis, by comparing values with edges
 * in f64. It shares only the definition with the lowering and the loops.
 * @returns the bins, underflow, overflow and NaN of every `stride`-th sample, starting at `first`
 */
export function byDefinition(
  axis: OrderedAxis,
  type: SampleType,
  samples: SampleArray,
  { first = 0, stride = 1 }: { readonly first?: number; readonly stride?: number } = {},
): Float64Array {
  const edges = edgesOf(axis, type);
  const rows = new Float64Array(axis.bins + 3);
  for (let i = first; i < samples.length; i += stride) rows[codeOfValue(axis, edges, samples[i]!)]!++;
  return rows;
}
