import { type Axis, checkedAxis, edgesOf } from "../axis/index.ts";
import { runs, type SamplesInit, samples } from "../input/index.ts";
import { codeOfValue } from "./lowering.ts";

/**
 * The bin of each value, as `histogram` would count it. A value in no bin has bins + UNDERFLOW, bins + OVERFLOW or
 * bins + NAN (lowering.ts). It is found straight from the edges, without a lowering's tables: many axes with a few
 * thousand values each, as features have, would take longer to prepare than to look up.
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
