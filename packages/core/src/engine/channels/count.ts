import type { Axis } from "../../axis/index.ts";
import type { ChannelsPart, Device, RunOptions } from "../../backend/index.ts";
import { loadedOnce, PolybinError } from "../../base/index.ts";
import { HostResident, SAMPLE_TRAITS, type SampleType, type Source } from "../../input/index.ts";
import {
  addCode,
  CountedHistogram,
  type Counts,
  countsFrom,
  type DeviceTimings,
  type Histogram,
  noCounts,
  regrouped,
} from "../../result/index.ts";
import type { Job } from "../jobs/prepare.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import type { ChannelsCounts } from "./channels-counts.ts";

export type { ChannelsCounts } from "./channels-counts.ts";

const reducing = loadedOnce(() => import("./reduce.ts"));

const files = loadedOnce(() => import("./file-pieces.ts"));

const NO_TIMINGS: DeviceTimings = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/**
 * Returns counts that need no device, because there are no samples or all have the same code. Null: the device must
 * count.
 */
export function foundBeforehand({ channels, axis, lowering }: Job, pixels: number): ChannelsCounts | null {
  if (pixels > 0 && lowering.kind !== "constant") return null;
  const counts = channels.map(() => {
    const of = noCounts(axis.bins);
    if (lowering.kind === "constant") addCode(of, lowering.code, pixels);
    return of;
  });
  return { counts, timings: NO_TIMINGS };
}

/** Converts a device's counts of `pixels` samples into bins. @throws ERR_MISCOUNT */
export function foundOn(
  { backend }: Pick<OpenBackend, "backend">,
  job: Job,
  part: ChannelsPart,
  pixels: number,
): ChannelsCounts {
  const { channels, plan, lowering, cellsAreBins } = job;
  if (part.channels.length !== channels.length) {
    throw new PolybinError(
      "ERR_MISCOUNT",
      `expected counts of ${channels.length} channels but the device returned ${part.channels.length}`,
      { backend, algorithm: plan.algorithm },
    );
  }
  // An array that grows would allocate room for more elements than needed.
  const counts: Counts[] = new Array(channels.length);
  for (let i = 0; i < counts.length; i++) {
    counts[i] = countsFrom(part.channels[i]!, plan, lowering, cellsAreBins, pixels);
  }
  return { counts, timings: part.timings };
}

/** Returns true if counting on this thread is faster than passing the input to the device. */
export function isSmall({ syncBytes }: Device, { input, type, channels, pixels }: Source): boolean {
  if (syncBytes === undefined || pixels * channels * SAMPLE_TRAITS[type].bytes > syncBytes) return false;
  return input.kind === "samples" || (input.kind === "resident" && input.resident instanceof HostResident);
}

/** Returns true for a file, which the device or this thread reads. */
export function isFile({ input }: Source): boolean {
  return input.kind === "file";
}

/** Counts an input on this thread or on the device, whichever is faster. @throws ERR_MISCOUNT; the signal's reason */
export async function find(
  opened: OpenBackend,
  job: Job,
  source: Source,
  options: RunOptions,
): Promise<ChannelsCounts> {
  const { input, pixels } = source;
  const found = foundBeforehand(job, pixels);
  if (found !== null) return found;
  if (isFile(source)) {
    const { isReadHere, findInFile } = await files();
    if (isReadHere(opened, source, job)) {
      const apart = { ...options, onProgress: undefined };
      return findInFile(job, source, options, (piece) => find(opened, job, piece, apart));
    }
  }
  if (job.counted.reduction !== null)
    return (await reducing()).findReduced(opened, job, source, options, (of, piece) =>
      find(opened, of, piece, { ...options, onProgress: undefined }),
    );
  const prepared = job.prepared();
  const part =
    prepared.countSync !== undefined && isSmall(opened.device, source)
      ? prepared.countSync(input, options)
      : await prepared.count(input, options);
  options.signal?.throwIfAborted();
  return foundOn(opened, job, part, pixels);
}

/**
 * Creates one histogram per channel.
 * @param type type of the caller's samples
 * @param axis the caller's axis
 * @param since the time at which the call began, from `performance.now()`; null: no timings were requested
 */
export function histogramsOf(
  { counts, timings }: ChannelsCounts,
  { provenance, counted: { codes } }: Job,
  type: SampleType,
  axis: Axis,
  since: number | null,
): Histogram[] {
  const told =
    since === null
      ? provenance
      : { ...provenance, timings: { ...timings, totalMs: performance.now() - since } };
  const all: Histogram[] = new Array(counts.length);
  for (let i = 0; i < all.length; i++) {
    const of = codes === null ? counts[i]! : regrouped(counts[i]!, codes, axis.bins);
    all[i] = new CountedHistogram(axis, type, of, told);
  }
  return all;
}
