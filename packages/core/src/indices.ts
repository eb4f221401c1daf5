import { type Axis, checkedAxis } from "./axis.ts";
import { lower, lowerInto } from "./lowering.ts";
import { runs, type SamplesInit, samples } from "./samples.ts";

/**
 * The bin of each value, as `histogram` would count it. A value in no bin has bins + UNDERFLOW, bins + OVERFLOW or
 * bins + NAN (lowering.ts).
 * @throws ERR_AXIS, ERR_INPUT as `histogram` does.
 */
export function indices(axis: Axis, values: SamplesInit["data"]): Uint32Array {
  const of = samples(values);
  const lowering = lower(checkedAxis(axis), of.type);
  const out = new Uint32Array(of.pixels);
  for (const run of runs(of, of.pixels)) lowerInto(lowering, run, 0, 1, out);
  return out;
}
