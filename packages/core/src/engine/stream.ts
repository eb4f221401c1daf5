import { type Axis, axisUnread } from "../axis/index.ts";
import { expected, MAX_SAMPLES, type Talk } from "../base/index.ts";
import {
  type ByteStream,
  channelsOf,
  checkedChannels,
  INPUT_TYPES,
  promisedBytes,
  SAMPLE_TRAITS,
  type SampleType,
  sourceOf,
  typedStream,
  wholePixels,
} from "../input/index.ts";
import { addCounts, noCounts } from "../result/index.ts";
import { type Found, find } from "./count.ts";
import type { Host } from "./host.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Progress } from "./options.ts";
import type { Job, Jobs } from "./prepare.ts";
import type { Recipe } from "./recipe.ts";

/** The counts of a stream, and how they were made. */
export interface CountedStream {
  readonly found: Found;
  readonly job: Job;
  readonly type: SampleType;
  readonly axis: Axis;
}

/**
 * Counts a stream piece by piece, each piece in its turn. While one piece is counted, the next is gathered. A stream
 * that delivers nothing does not take a turn.
 */
export function countStream<R>(
  host: Host,
  jobs: Jobs,
  lifecycle: Lifecycle,
  stream: ByteStream,
  { asked, which, timed }: Recipe<R>,
  { signal: given, onProgress }: Talk<Progress>,
): Promise<CountedStream> {
  const { type: named, interleaved = 1 } = asked;
  if (named !== undefined && !INPUT_TYPES.includes(named)) {
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, named);
  }
  checkedChannels(interleaved, "interleaved");
  const channels = channelsOf({ channels: interleaved }, which);
  const promised = promisedBytes(stream, asked.bytes);
  const planned = (type: SampleType) => {
    const why = "it can be read only once, so its range is not known";
    const axis = axisUnread(type, asked, `a stream of ${type}`, why);
    return { axis, job: jobs.of({ type, pixels: MAX_SAMPLES, interleaved, channels }, axis, asked) };
  };
  // Wrong options are refused before the stream is touched.
  const early = named === undefined ? null : planned(named);
  return lifecycle.onStream(given, async (signal) => {
    let since = performance.now();
    const typed = await typedStream(stream, named, signal);
    const { type } = typed;
    let done = 0;
    let waitedMs = 0;
    let counting: Promise<void> = Promise.resolve();
    try {
      const { axis, job } = early ?? planned(type);
      const counts = channels.map(() => noCounts(job.axis.bins));
      const timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
      const add = (found: Found): void => {
        for (const [i, of] of counts.entries()) addCounts(of, found.counts[i]!);
        for (const name of ["readMs", "uploadMs", "kernelMs"] as const) timings[name] += found.timings[name];
      };
      const total = promised === null ? null : promised / (SAMPLE_TRAITS[type].bytes * interleaved);
      for await (const bytes of wholePixels(typed, interleaved, promised)) {
        waitedMs += performance.now() - since;
        await counting;
        given?.throwIfAborted();
        const source = sourceOf({ data: bytes, type, channels: interleaved });
        const work = () => find(host, job, source, { signal: given, timed });
        counting = lifecycle.turn(work, signal).then(add);
        // The error is thrown where the promise is awaited. Until then it must not count as unhandled.
        counting.catch(() => {});
        done += source.pixels;
        onProgress?.({ done, total });
        since = performance.now();
      }
      waitedMs += performance.now() - since;
      await counting;
      timings.readMs += waitedMs;
      return { found: { counts, timings }, job, type, axis };
    } catch (error) {
      await counting.catch(() => {});
      throw error;
    } finally {
      await typed.end();
    }
  });
}
