import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { type Choice, timingsSince } from "../engine/index.ts";
import type { Source } from "../input/index.ts";
import type { Channel, Result } from "../output/index.ts";
import type { Watch } from "../terminal/index.ts";
import type { Request } from "./request.ts";
import { subjectOf } from "./subject.ts";

/** Counts a source as requested. */
export async function count(
  source: Source,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
  watch: Watch,
): Promise<Result> {
  const start = performance.now();
  const { input, engine, of, streamed, channels, axis, readMs, damage } = await subjectOf(
    source,
    request,
    choice,
    signal,
  );
  const { algorithm, k } = request;
  const { type, kind } = input;
  const each = channels.length * SAMPLE_TRAITS[type].bytes;
  const histograms = await engine.histograms(of, {
    ...axis,
    ...(streamed ? { type } : {}),
    channels: channels.map(({ at }) => at),
    algorithm,
    k,
    timings: true,
    signal,
    onProgress: ({ done }) => watch({ done: done * each, total: input.samples && input.samples * each }),
  });
  // A stream and a picture were checked when they ended.
  if (kind === "raw" && !streamed) await source.file?.check();
  // Now the length of a pipe is known, too.
  const samples = histograms[0]!.sum({ flow: true });
  return {
    input: { ...input, samples },
    channels: channels.map(({ name }, i): Channel => ({ name, histogram: histograms[i]! })),
    work: histograms[0]!,
    masked: null,
    timings: timingsSince(start, readMs, histograms[0]!.timings),
    bytes: samples * each,
    damage,
  };
}
