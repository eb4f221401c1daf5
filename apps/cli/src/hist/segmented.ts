import {
  PolybinError,
  type SamplesInit,
  type Segmented,
  type SegmentsInit,
  type Timings,
} from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { type Choice, timingsSince } from "../engine/index.ts";
import type { Source } from "../input/index.ts";
import type { InputDescription } from "../output/index.ts";
import type { Watch } from "../terminal/index.ts";
import type { Request } from "./request.ts";
import { type Subject, subjectOf } from "./subject.ts";

/** The counts of a source's segments. */
export interface SegmentedResult {
  readonly input: InputDescription;
  readonly found: Segmented;
  readonly timings: Timings;
  readonly damage: string | null;
}

/** A request with --every or --tiles. */
export interface SegmentedRequest extends Request {
  readonly segments: SegmentsInit;
}

/** Counts the segments of one channel. */
export async function countSegments(
  source: Source,
  request: SegmentedRequest,
  choice: Pick<Choice, "alone" | "engine">,
  signal: AbortSignal,
  watch: Watch,
): Promise<SegmentedResult> {
  const start = performance.now();
  const subject = await subjectOf(source, request, choice, signal);
  const { input, engine, axis, readMs, damage } = subject;
  const { algorithm, k, segments } = request;
  const channel = channelToCut(subject, segments);
  const each = SAMPLE_TRAITS[input.type].bytes;
  const found = await engine.segments(inRows(subject), segments, {
    ...axis,
    channel,
    algorithm,
    k,
    timings: true,
    signal,
    onProgress: ({ done, total }) => watch({ done: done * each, total: total && total * each }),
  });
  return {
    // The samples were held in memory, so their number is known.
    input: { ...input, samples: input.samples! },
    found,
    timings: timingsSince(start, readMs, found.timings),
    damage,
  };
}

/** The channel to cut. @throws ERR_INPUT if there are several, and for tiles of a file that is not a picture */
export function channelToCut(
  { channels, input }: Pick<Subject, "channels" | "input">,
  { tiles }: SegmentsInit,
): number {
  const [first] = channels;
  if (channels.length > 1) {
    const names = channels.map(({ name }) => name).join(", ");
    throw new PolybinError(
      "ERR_INPUT",
      `expected one channel to cut but ${input.name} has ${names}; name one, as in --channel ${first!.name}`,
    );
  }
  if (tiles !== undefined && input.width === null) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a picture for --tiles but ${input.name} is not a picture; --every cuts any file`,
    );
  }
  return first!.at;
}

/** The samples with the width of a picture, which tiles need. */
function inRows({ of, input }: Subject): SamplesInit {
  const { data, type, channels } = of as SamplesInit;
  if (input.width === null) return { data, ...(type && { type }) };
  return { data, channels: channels ?? 1, width: input.width };
}
