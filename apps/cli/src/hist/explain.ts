import { type CountRequest, type Explanation, PolybinError } from "@polybin/core";
import { limits, SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Choice } from "../engine/index.ts";
import type { Source } from "../input/index.ts";
import type { Request } from "./request.ts";
import { channelToCut } from "./segmented.ts";
import { axisOf, type Subject, subjectOf } from "./subject.ts";

/** How a source would be counted. */
export interface Explained {
  readonly input: Subject["input"];
  readonly channels: Subject["channels"];
  readonly explanation: Explanation;
  readonly damage: string | null;
}

/** Plans the count of a source exactly as `hist` does, and counts nothing. */
export async function explain(
  source: Source,
  request: Request,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
): Promise<Explained> {
  const subject = await subjectOf(source, request, choice, signal);
  const { input, engine, streamed, interleaved, channels, damage } = subject;
  const { type, samples } = input;
  if (samples !== null && !Number.isInteger(samples)) {
    const { bytes } = SAMPLE_TRAITS[type];
    throw new PolybinError(
      "ERR_INPUT",
      `expected a whole number of ${type} samples, ${bytes} bytes each, but ${source.name} has ${samples * bytes} bytes`,
    );
  }
  const explanation = await engine.explain({
    type,
    axis: await axisOf(subject, signal),
    interleaved,
    channels: channels.map(({ at }) => at),
    // A stream is planned before its length is known.
    samples: streamed || samples === null ? limits.MAX_SAMPLES : samples,
    algorithm: request.algorithm,
    k: request.k,
    ...cutOf(request, subject),
  });
  if (streamed) await letGo(source);
  return { input, channels, explanation, damage };
}

/** The segments of a request. */
function cutOf(
  { segments }: Request,
  subject: Subject,
): Pick<CountRequest, "segments" | "width" | "channels"> {
  if (segments === null) return {};
  const { width } = subject.input;
  return { segments, channels: [channelToCut(subject, segments)], ...(width === null ? {} : { width }) };
}

/** Closes a pipe, which would keep the process alive if nobody read it. */
async function letGo({ file, stream }: Source): Promise<void> {
  if (file !== null) return;
  for await (const _ of stream()) break;
}
