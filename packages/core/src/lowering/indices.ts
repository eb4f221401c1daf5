import { type Axis, checkedAxis, countedAs, edgesOf } from "../axis/index.ts";
import { forDevice, runs, type SamplesInit, samples } from "../input/index.ts";
import { codeOfValue } from "./lowering.ts";
import { reduced } from "./reduced.ts";

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
  const { axis: ordered, codes, type, reduction } = countedAs(checked, of.type);
  const edges = edgesOf(ordered, type);
  const out = new Uint32Array(of.pixels);
  for (const run of runs(forDevice(of), of.pixels)) {
    const values = reduction === null ? run : reduced(run, reduction);
    for (let i = 0; i < values.length; i++) {
      const code = codeOfValue(ordered, edges, values[i]!);
      out[i] = codes === null ? code : codes[code]!;
    }
  }
  return out;
}
