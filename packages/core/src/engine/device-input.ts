import type { CountedAs } from "../axis/index.ts";
import { type Input, runs, type Source, STREAM_CHUNK, sourceOf } from "../input/index.ts";
import { reduced } from "../lowering/index.ts";
import { type Host, readable } from "./host.ts";
import { hostSamples } from "./host-samples.ts";

/**
 * Returns the input that a device counts. If the samples must be converted, it is a copy of all of them.
 * @throws ERR_INPUT if the engine cannot reach it; ERR_UNSUPPORTED for samples to convert that are not in memory.
 */
export function deviceInput(host: Host, source: Source, { reduction }: Pick<CountedAs, "reduction">): Input {
  if (reduction === null) return readable(host, source);
  const samples = hostSamples(host, source, `${source.type} over this axis`);
  const { pixels, channels } = samples;
  const data = new Float64Array(pixels * channels);
  let done = 0;
  for (const run of runs(samples, Math.floor(STREAM_CHUNK / Float64Array.BYTES_PER_ELEMENT / channels))) {
    data.set(reduced(run, reduction), done);
    done += run.length;
  }
  return sourceOf({ data, channels }).input;
}
