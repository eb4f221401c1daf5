import type { Axis } from "../axis/index.ts";
import type { ResidentCounts } from "../backend/index.ts";
import { FLOW_ROWS, PolybinError } from "../base/index.ts";
import {
  type ByteStream,
  type Countable,
  type Cuttable,
  channelsOf,
  isByteStream,
  type Segments,
  type SegmentsInit,
  type Source,
  segmentsOf,
} from "../input/index.ts";
import {
  CountedSegments,
  HostCounts,
  type RowNumbers,
  regroupedRows,
  rowsOfCode,
  type SegmentCounts,
  type Segmented,
  type SegmentedOf,
} from "../result/index.ts";
import { axisFor } from "./axis-for.ts";
import { deviceInput } from "./device-input.ts";
import { type Host, readable, sourceIn } from "./host.ts";
import { imageOf } from "./image.ts";
import type { SegmentJob, SegmentJobs } from "./segment-jobs.ts";
import { checkInto, type SegmentedOptions } from "./segmented-options.ts";
import { SegmentedResident } from "./segmented-resident.ts";

export { checkSegmentedOptions } from "./segmented-options.ts";

/** A call that is checked, cut into segments and planned. */
interface Cut {
  readonly job: SegmentJob;
  readonly axis: Axis;
  readonly source: Source;
  readonly segments: Segments;
}

/** Counts each segment into a row. */
export async function countSegments(
  host: Host,
  jobs: SegmentJobs,
  input: Countable,
  how: SegmentsInit,
  options: SegmentedOptions,
): Promise<Segmented> {
  const start = performance.now();
  const cut = await cutUp(host, jobs, input, how, options);
  const { job, axis, source, segments } = cut;
  const { into, signal, onProgress, timings: timed = false } = options;
  checkInto(into, segments, axis.bins);
  const { codes } = job.counted;
  // A device that groups nothing must not write rows of more bins into the caller's array.
  const whole = codes === null ? into : undefined;
  const total = source.pixels;
  const progress = onProgress && ((done: number) => onProgress({ done, total }));
  const inputs = { input: source.input, segments, into: whole };
  const found =
    knownRows(cut, whole) ??
    checkedRows(host, cut, await jobs.prepared(job).count(inputs, { signal, timed, onProgress: progress }));
  signal?.throwIfAborted();
  onProgress?.({ done: total, total });
  const timings = timed ? { ...found.timings, totalMs: performance.now() - start } : null;
  const rows = codes === null ? found : regroupedRows(found, segments.count, codes, axis.bins, into);
  return new CountedSegments(of(host, cut, timings), rows);
}

/** Counts each segment into a row that stays on the device. */
export async function leaveSegments(
  host: Host,
  jobs: SegmentJobs,
  input: Countable,
  how: SegmentsInit,
  options: SegmentedOptions,
): Promise<SegmentedResident> {
  const start = performance.now();
  const cut = await cutUp(host, jobs, input, how, options);
  const { job, source, segments } = cut;
  const { signal, onProgress, timings: timed = false } = options;
  const total = source.pixels;
  const known = knownRows(cut);
  const resident = (left: ResidentCounts): SegmentedResident => {
    const timings = timed ? { ...left.timings, totalMs: performance.now() - start } : null;
    return new SegmentedResident(host, of(host, cut, timings), segments, job.counted.codes, left);
  };
  if (known !== null) return resident(new HostCounts(known, job.axis.bins));
  const prepared = jobs.prepared(job);
  if (prepared.leave === undefined) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `${host.backend} cannot leave counts on its device: leave the option leave out`,
    );
  }
  const left = await prepared.leave(
    { input: source.input, segments },
    {
      signal,
      timed,
      onProgress: onProgress && ((done) => onProgress({ done, total })),
    },
  );
  return resident(left);
}

function of(
  { backend, device }: Host,
  { job: { plan }, axis, source: { type }, segments }: Cut,
  timings: SegmentedOf["provenance"]["timings"] | null,
): SegmentedOf {
  const provenance = { backend, device: device.name, algorithm: plan.algorithm, plan, timings };
  return { axis, type, segments: segments.count, provenance };
}

/** @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED, and whatever finding the data's range rejects with */
async function cutUp(
  host: Host,
  jobs: SegmentJobs,
  input: Countable,
  how: SegmentsInit,
  options: SegmentedOptions,
): Promise<Cut> {
  if (isByteStream(input)) throw unread("a stream");
  const source = sourceIn(host, input as Exclude<Countable, ByteStream>);
  if (source.input.kind === "file") throw unread("a file");
  readable(host, source);
  const channels = channelsOf(source, options.channel === undefined ? "only" : { channel: options.channel });
  const segments = segmentsOf(how, { pixels: source.pixels, image: imageBehind(host, input, source) });
  const axis = await axisFor(host, source, channels, options);
  const { type, channels: interleaved } = source;
  const job = jobs.of({ type, interleaved, channels, pixels: source.pixels }, segments, axis, options);
  return { job, axis, source: { ...source, input: deviceInput(host, source, job.counted) }, segments };
}

function unread(what: string): PolybinError {
  return new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory or on the device for segments but received ${what}: read it into an array first`,
  );
}

function imageBehind({ uploaded }: Host, given: Countable, { input }: Source): Cuttable["image"] {
  if (input.kind === "samples") return imageOf(given, input.samples);
  return input.kind === "resident" ? (uploaded.get(input.resident) ?? null) : null;
}

/** Returns rows that need no device, or null if the device must count. */
function knownRows({ job: { axis, lowering }, segments }: Cut, into?: Uint32Array): SegmentCounts | null {
  const isNone = segments.longest === 0;
  if (!isNone && lowering.kind !== "constant") return null;
  return rowsOfCode(segments, axis.bins, isNone || lowering.kind !== "constant" ? null : lowering.code, into);
}

/** Checks the number of counts that a device returned. @throws ERR_MISCOUNT */
function checkedRows(
  { backend }: Host,
  { job, segments: { count } }: Cut,
  found: SegmentCounts,
): SegmentCounts {
  const { plan, axis, lowering } = job;
  const { counts, flow } = found;
  const fits = (rows: RowNumbers, width: number): boolean => rows.length === count * width;
  if (fits(counts, axis.bins) && (flow === null ? !lowering.flow : fits(flow, FLOW_ROWS))) return found;
  throw new PolybinError(
    "ERR_MISCOUNT",
    `expected ${count} x ${axis.bins} counts but the device returned ${counts.length}`,
    { backend, algorithm: plan.algorithm },
  );
}
