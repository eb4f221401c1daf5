import type { CountedAs, Reduction } from "../../axis/index.ts";
import { type Input, runs, type Samples, type Source, STREAM_CHUNK, samples } from "../../input/index.ts";
import { reduced } from "../../lowering/index.ts";
import { type OpenBackend, readable } from "../opened/open-backend.ts";
import { samplesIn } from "./in-memory.ts";
import { isRounded } from "./rounded-resident.ts";

/**
 * Returns the input that a device counts. If the samples must be converted, it is a copy of all of them.
 * @throws ERR_INPUT if the engine cannot reach it; ERR_UNSUPPORTED for samples to convert that are not in memory.
 */
export function deviceInput(
  opened: OpenBackend,
  source: Source,
  { reduction }: Pick<CountedAs, "reduction">,
): Input {
  if (reduction === null || isRounded(opened, source, reduction)) return readable(opened, source);
  const own = samplesIn(opened, source, `${source.type} over this axis`);
  return { kind: "samples", samples: converted(own, reduction) };
}

/** Returns 64-bit integers as f64, rounded down. */
export function roundedSamples(of: Samples): Samples {
  return converted(of, { period: null, end: null });
}

function converted(of: Samples, reduction: Reduction): Samples {
  const { pixels, channels } = of;
  const data = new Float64Array(pixels * channels);
  let done = 0;
  for (const run of runs(of, Math.floor(STREAM_CHUNK / Float64Array.BYTES_PER_ELEMENT / channels))) {
    data.set(reduced(run, reduction), done);
    done += run.length;
  }
  return samples({ data, channels });
}
