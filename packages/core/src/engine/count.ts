import { type Axis, type AxisOptions, axisBeforehand, binsOf, dataRange } from "../axis/index.ts";
import { expected, PolybinError } from "../base/index.ts";
import {
  type Channels,
  channelsOf,
  type Input,
  NO_EXTENT,
  SAMPLE_TRAITS,
  type Source,
} from "../input/index.ts";
import {
  addCode,
  type Counts,
  type DeviceTimings,
  Histogram,
  mergeChannel,
  noCounts,
} from "../result/index.ts";
import { type Host, readable } from "./host.ts";
import type { HistogramOptions } from "./options.ts";
import type { Job, Jobs } from "./prepare.ts";

/** One call on its way from input to result. */
export interface Call {
  readonly job: Job;
  /** The call's own; the job's may be an equal one, of the call that it was made for. */
  readonly axis: Axis;
  readonly counts: readonly Counts[];
  readonly timings: { -readonly [name in keyof DeviceTimings]: number };
}

export function newCall(job: Job, axis: Axis): Call {
  return {
    job,
    axis,
    counts: job.channels.map(() => noCounts(job.axis.bins)),
    timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
  };
}

/** Counts an input that knows its own shape. */
export async function countSource(
  host: Host,
  jobs: Jobs,
  source: Source,
  which: Channels,
  options: HistogramOptions,
): Promise<Call> {
  checkSaid(source, options);
  const channels = channelsOf(source, which);
  const input = readable(host, source);
  const axis = await axisFor(host, source, channels, options);
  const { type, pixels, channels: interleaved } = source;
  const call = newCall(jobs.of({ type, pixels, interleaved, channels }, axis, options), axis);
  const onProgress = (done: number) => options.onProgress?.({ done, total: pixels });
  await countInto(host, call, input, pixels, onProgress, options);
  onProgress(pixels);
  return call;
}

/** What options say of an input that knows better. @throws ERR_INPUT where they differ */
function checkSaid(source: Source, options: HistogramOptions): void {
  const { type = source.type, interleaved = source.channels } = options;
  if (type !== source.type) {
    throw expected("ERR_INPUT", "type", `${source.type}, which these samples are,`, type);
  }
  if (interleaved !== source.channels) {
    throw expected("ERR_INPUT", "interleaved", `${source.channels}, which these samples are,`, interleaved);
  }
  const size = source.pixels * source.channels * SAMPLE_TRAITS[source.type].bytes;
  if (options.bytes !== undefined && options.bytes !== size) {
    throw expected("ERR_INPUT", "bytes", `${size}, which these samples are,`, options.bytes);
  }
}

/** The axis of a call; where the data decide it, they are read first. */
export async function axisFor(
  host: Host,
  source: Source,
  channels: readonly number[],
  options: AxisOptions & Pick<HistogramOptions, "signal">,
): Promise<Axis> {
  const axis = axisBeforehand(source.type, options);
  if (axis !== null) return axis;
  const { signal } = options;
  const found =
    source.pixels === 0 ? NO_EXTENT : await host.device.extent(readable(host, source), channels, { signal });
  return dataRange(binsOf(options), source.type, found.min, found.max);
}

/** Counts samples and adds them to a call's counts. @throws ERR_MISCOUNT */
export async function countInto(
  { backend }: Host,
  { job, counts, timings }: Call,
  input: Input,
  pixels: number,
  onProgress: ((done: number) => void) | undefined,
  { signal }: Pick<HistogramOptions, "signal">,
): Promise<void> {
  if (pixels === 0) return;
  const { lowering, plan } = job;
  if (lowering.kind === "constant") {
    for (const of of counts) addCode(of, lowering.code, pixels);
    return;
  }
  const part = await job.prepared().count(input, { signal, onProgress });
  signal?.throwIfAborted();
  if (part.channels.length !== counts.length) {
    throw new PolybinError(
      "ERR_MISCOUNT",
      `expected counts of ${counts.length} channels but the device returned ${part.channels.length}`,
      { backend, algorithm: plan.algorithm },
    );
  }
  part.channels.forEach((channel, i) => {
    mergeChannel(counts[i]!, channel, plan, lowering, pixels);
  });
  timings.readMs += part.timings.readMs;
  timings.uploadMs += part.timings.uploadMs;
  timings.kernelMs += part.timings.kernelMs;
}

/** A histogram for each channel of a call that is over. @param start when it began: `performance.now()` */
export function resultsOf(
  { backend, device }: Host,
  { job, axis, counts, timings }: Call,
  start: number,
): Histogram[] {
  const provenance = {
    backend,
    device: device.name,
    algorithm: job.plan.algorithm,
    plan: job.plan,
    timings: { ...timings, totalMs: performance.now() - start },
  };
  return counts.map((of) => new Histogram(axis, job.type, of, provenance));
}
