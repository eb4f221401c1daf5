import { type Axis, checkedAxis, edgesOf } from "../axis/index.ts";
import { runs, type SamplesInit, samples } from "../input/index.ts";
import { codeOfValue } from "./lowering.ts";

/**
 * Returns the bin of each value, as `histogram` would count it. Values outside all bins get bins + 0 for underflow,
 * bins + 1 for overflow and bins + 2 for NaN.
 *
 * It compares values with the edges directly, without building lookup tables. This is faster for many axes with a few
 * thousand values each, such as the features of a table.
 * @param axis the axis that defines the bins.
 * @param values a typed array, an array of numbers, or bytes.
 * @returns one index per value.
 * @throws ERR_AXIS, ERR_INPUT as `histogram` does.
 */
export function indices(axis: Axis, values: SamplesInit["data"]): Uint32Array {
  const of = samples(values);
  const checked = checkedAxis(axis);
  const edges = edgesOf(checked, of.type);
  const out = new Uint32Array(of.pixels);
  for (const run of runs(of, of.pixels)) {
    for (let i = 0; i < run.length; i++) out[i] = codeOfValue(checked, edges, run[i]!);
  }
  return out;
}
