import { type Axis, axisUnread } from "../../axis/index.ts";
import { type CallControl, MAX_SAMPLES } from "../../base/index.ts";
import {
  type ByteStream,
  channelsOf,
  checkedChannels,
  INPUT_TYPES,
  isBlob,
  type SampleType,
} from "../../input/index.ts";
import { addCounts, noCounts } from "../../result/index.ts";
import { type ChannelsCounts, find } from "../channels/count.ts";
import type { Job, Jobs } from "../jobs/prepare.ts";
import type { Recipe } from "../jobs/recipe.ts";
import type { Lifecycle } from "../opened/lifecycle.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import type { Progress } from "../options/options.ts";
import { openInput } from "../run/inputs/inputs.ts";
import { eachPiece } from "../run/inputs/pieces.ts";

/** The counts of a stream, and how they were made. */
export interface StreamCounts {
  readonly found: ChannelsCounts;
  readonly job: Job;
  readonly type: SampleType;
  readonly axis: Axis;
}

/** Counts the channels of a stream piece by piece, each piece in its turn. */
export function countStream<R>(
  {
    opened,
    jobs,
    lifecycle,
  }: { readonly opened: OpenBackend; readonly jobs: Jobs; readonly lifecycle: Lifecycle },
  stream: ByteStream,
  { asked, which, timed }: Recipe<R>,
  { signal: given, onProgress }: CallControl<Progress>,
): Promise<StreamCounts> {
  const { type: named, interleaved = 1, bytes } = asked;
  checkedChannels(interleaved, "interleaved");
  const channels = channelsOf({ channels: interleaved }, which);
  const planned = (type: SampleType) => {
    const why = "it can be read only once, so its range is not known";
    const axis = axisUnread(type, asked, `a stream of ${type}`, why);
    return { axis, job: jobs.of({ type, pixels: MAX_SAMPLES, interleaved, channels }, axis, asked) };
  };
  // Wrong options are refused before the stream is touched.
  const known = named ?? (isBlob(stream) ? "u8" : undefined);
  const early = known !== undefined && INPUT_TYPES.includes(known) ? planned(known) : null;
  return lifecycle.onStream(given, async (signal) => {
    const input = await openInput(
      opened,
      { input: stream, type: named, interleaved, bytes },
      "the stream",
      signal,
    );
    try {
      const { type, total } = input;
      const { axis, job } = early ?? planned(type);
      const counts = job.channels.map(() => noCounts(job.axis.bins));
      const timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
      const { waitedMs } = await eachPiece([input], lifecycle, signal, async (piece) => {
        const found = await find(opened, job, piece.of(input), { signal: given, timed });
        for (const [i, of] of counts.entries()) addCounts(of, found.counts[i]!);
        for (const name of ["readMs", "uploadMs", "kernelMs"] as const) timings[name] += found.timings[name];
        onProgress?.({ done: piece.first + piece.pixels, total });
      });
      timings.readMs += waitedMs;
      return { found: { counts, timings }, job, type, axis };
    } finally {
      await input.end();
    }
  });
}
