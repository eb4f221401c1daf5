import { axisUnread } from "../axis/index.ts";
import { expected, MAX_SAMPLES } from "../base/index.ts";
import {
  type ByteStream,
  type Channels,
  channelsOf,
  checkedChannels,
  promisedBytes,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  samples,
  wholePixels,
} from "../input/index.ts";
import { type Call, countInto, newCall } from "./count.ts";
import type { Host } from "./host.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { HistogramOptions } from "./options.ts";
import type { Jobs } from "./prepare.ts";

/**
 * A stream is counted piece by piece, each in its turn; while one is counted the next is gathered. A stream that delivers
 * nothing takes nobody's turn.
 */
export function countStream(
  host: Host,
  jobs: Jobs,
  lifecycle: Lifecycle,
  stream: ByteStream,
  which: Channels,
  options: HistogramOptions,
): Promise<Call> {
  const type = options.type ?? "u8";
  if (!SAMPLE_TYPES.includes(type))
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  const interleaved = checkedChannels(options.interleaved ?? 1, "interleaved");
  const channels = channelsOf({ channels: interleaved }, which);
  const promised = promisedBytes(stream, options.bytes);
  const total = promised === null ? null : promised / (SAMPLE_TRAITS[type].bytes * interleaved);
  const why = "it can be read only once, so its range is not known";
  const axis = axisUnread(type, options, `a stream of ${type}`, why);
  const call = newCall(jobs.of({ type, pixels: MAX_SAMPLES, interleaved, channels }, axis, options), axis);
  return lifecycle.onStream(options.signal, async (signal) => {
    let done = 0;
    let waitedMs = 0;
    let counting: Promise<void> = Promise.resolve();
    try {
      let since = performance.now();
      for await (const bytes of wholePixels(stream, type, interleaved, signal, promised)) {
        waitedMs += performance.now() - since;
        await counting;
        options.signal?.throwIfAborted();
        const piece = samples({ data: bytes, type, channels: interleaved });
        const input = { kind: "samples", samples: piece } as const;
        counting = lifecycle.turn(
          () => countInto(host, call, input, piece.pixels, undefined, options),
          signal,
        );
        // A failure is thrown where it is awaited; until then it must not count as unhandled.
        counting.catch(() => {});
        done += piece.pixels;
        options.onProgress?.({ done, total });
        since = performance.now();
      }
      waitedMs += performance.now() - since;
      await counting;
    } catch (error) {
      await counting.catch(() => {});
      throw error;
    }
    call.timings.readMs += waitedMs;
    return call;
  });
}
