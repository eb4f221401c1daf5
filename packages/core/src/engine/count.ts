import { type Axis, type AxisOptions, axisBeforehand, binsOf, dataRange } from "../axis/index.ts";
import type { Device, Partial, RunOptions } from "../backend/index.ts";
import { PolybinError } from "../base/index.ts";
import { HostResident, NO_EXTENT, SAMPLE_TRAITS, type Source } from "../input/index.ts";
import {
  addCode,
  CountedHistogram,
  type Counts,
  countsFrom,
  type DeviceTimings,
  type Histogram,
  noCounts,
} from "../result/index.ts";
import { type Host, readable } from "./host.ts";
import type { Job } from "./prepare.ts";

/** What a call found: counts of each channel, and how long the device took. */
export interface Found {
  readonly counts: readonly Counts[];
  readonly timings: DeviceTimings;
}

const NO_TIMINGS: DeviceTimings = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** Counts that no device has to find: of no samples, or of samples that all have one code. Null: a device has to. */
export function foundBeforehand({ channels, axis, lowering }: Job, pixels: number): Found | null {
  if (pixels > 0 && lowering.kind !== "constant") return null;
  const counts = channels.map(() => {
    const of = noCounts(axis.bins);
    if (lowering.kind === "constant") addCode(of, lowering.code, pixels);
    return of;
  });
  return { counts, timings: NO_TIMINGS };
}

/** Brings what a device counted of so many pixels into the bins. @throws ERR_MISCOUNT */
export function foundOn({ backend }: Pick<Host, "backend">, job: Job, part: Partial, pixels: number): Found {
  const { channels, plan, lowering, cellsAreBins } = job;
  if (part.channels.length !== channels.length) {
    throw new PolybinError(
      "ERR_MISCOUNT",
      `expected counts of ${channels.length} channels but the device returned ${part.channels.length}`,
      { backend, algorithm: plan.algorithm },
    );
  }
  // Of their length from the start: one that grows takes room for many.
  const counts: Counts[] = new Array(channels.length);
  for (let i = 0; i < counts.length; i++) {
    counts[i] = countsFrom(part.channels[i]!, plan, lowering, cellsAreBins, pixels);
  }
  return { counts, timings: part.timings };
}

/** Is an input counted sooner on this thread than handed on? */
export function isSmall({ syncBytes }: Device, { input, type, channels, pixels }: Source): boolean {
  if (syncBytes === undefined || pixels * channels * SAMPLE_TRAITS[type].bytes > syncBytes) return false;
  return input.kind === "samples" || (input.kind === "resident" && input.resident instanceof HostResident);
}

/** Counts an input, wherever that is fastest. @throws ERR_MISCOUNT; the signal's reason */
export async function find(host: Host, job: Job, source: Source, options: RunOptions): Promise<Found> {
  const { input, pixels } = source;
  const found = foundBeforehand(job, pixels);
  if (found !== null) return found;
  const prepared = job.prepared();
  const part =
    prepared.countSync !== undefined && isSmall(host.device, source)
      ? prepared.countSync(input, options)
      : await prepared.count(input, options);
  options.signal?.throwIfAborted();
  return foundOn(host, job, part, pixels);
}

/** The axis of a call; where the data decide it, they are read first. */
export async function axisFor(
  host: Host,
  source: Source,
  channels: readonly number[],
  options: AxisOptions & Pick<RunOptions, "signal">,
): Promise<Axis> {
  const axis = axisBeforehand(source.type, options);
  if (axis !== null) return axis;
  const { signal } = options;
  const found =
    source.pixels === 0 ? NO_EXTENT : await host.device.extent(readable(host, source), channels, { signal });
  return dataRange(binsOf(options), source.type, found.min, found.max);
}

/**
 * A histogram for each channel.
 * @param since when the call began, `performance.now()`; null: nobody asked for times
 */
export function histogramsOf(
  { counts, timings }: Found,
  { type, provenance }: Job,
  axis: Axis,
  since: number | null,
): Histogram[] {
  const told =
    since === null
      ? provenance
      : { ...provenance, timings: { ...timings, totalMs: performance.now() - since } };
  const all: Histogram[] = new Array(counts.length);
  for (let i = 0; i < all.length; i++) all[i] = new CountedHistogram(axis, type, counts[i]!, told);
  return all;
}
