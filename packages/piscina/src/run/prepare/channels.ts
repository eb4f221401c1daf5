import type { Extent } from "@polybin/core";
import {
  algorithms,
  type ChannelCounts,
  type ChannelsJob,
  limits as core,
  type Device,
  type DeviceLaunch,
  type Input,
  joinExtents,
  NO_EXTENT,
  type Prepared,
  type RunOptions,
  SAMPLE_TRAITS,
  samplesOf,
} from "@polybin/core/backend";
import {
  type Answer,
  type ChannelsWork,
  onceOver,
  type Steps,
  type Task,
  type Thread,
} from "../../counting/index.ts";
import { type Source, sourceOf } from "../../input/index.ts";
import { kernelOf } from "../../kernels/index.ts";
import { poolLimits, WORKER_CHUNK_BYTES } from "../../platform/index.ts";
import { ChannelTotals, sharedSets } from "../deliver/channels.ts";
import { timingsOf } from "../deliver/timings.ts";
import type { Feed, Place } from "../dispatch/feed.ts";
import { feedHere, feedPool } from "../dispatch/launches.ts";
import type { Pool } from "../dispatch/pool.ts";
import { InPlace, type Way, withSupply } from "../dispatch/supply.ts";

/** Pixels in their own order, a chunk at a time. */
const CHUNKS: Way = { order: null, stepOf: (pixelBytes) => Math.floor(WORKER_CHUNK_BYTES / pixelBytes) };

/** Prepares counting of channels, on the workers and on the calling thread. */
export function prepareChannels(pool: Pool, job: ChannelsJob): Prepared {
  const { plan, channels, interleaved } = job;
  const bytes = plan.samples * interleaved * SAMPLE_TRAITS[plan.type].bytes;
  const work = workOf(job);
  const isFew = countsFew(work);
  const host = isFew ? fewestOnHost(pool.host, job) : null;
  return {
    /** The calling thread counts, too. */
    get launch(): DeviceLaunch {
      const workers = pool.workersFor(bytes);
      return Object.freeze({
        kernel: plan.algorithm,
        workers,
        chunkBytes: WORKER_CHUNK_BYTES,
        pieceBytes: poolLimits.pieceBytes,
        sharedTables: sharedSets(plan, workers === 0 ? 1 : pool.threads) * channels.length,
      });
    },
    countSync(input, options) {
      const now = host !== null && isFewest(input) ? host.countSync : undefined;
      if (now !== undefined) {
        options.signal?.throwIfAborted();
        const counted = now(input, options);
        options.onProgress?.(plan.samples);
        return counted;
      }
      const start = options.timed ? performance.now() : 0;
      const few = isFew ? fewBytes(input) : null;
      const counts =
        few === null
          ? countHere(pool.here, work, sourceOf(input), options)
          : countFew(pool.here, work, few, options);
      return { channels: counts, timings: timingsOf(start, 0, options.timed) };
    },
    async count(input, options) {
      const start = performance.now();
      return withSupply(pool, input, CHUNKS, async (supply) => {
        const call = new ChannelsCall(work, supply, pool.threads);
        const uploadMs = await feedPool(pool, call, options);
        return { channels: call.channels(), timings: timingsOf(start, uploadMs, options.timed) };
      });
    },
  };
}

/** Counts on the calling thread. */
function countHere(here: Thread, work: ChannelsWork, source: Source, options: RunOptions): ChannelCounts[] {
  const { width, height, pixelBytes } = source.geometry;
  const to = width * height;
  if (to > CHUNKS.stepOf(pixelBytes) || kernelOf(work.plan).sharing !== undefined) {
    const call = new ChannelsCall(work, new InPlace(source, CHUNKS), 1);
    feedHere(here, call, options);
    return call.channels();
  }
  // A small input is one step, so nothing is added up.
  options.signal?.throwIfAborted();
  const steps = onceOver(to);
  const at = { source, order: null };
  const answer = here.run({ kind: "channels", work, steps, at, tables: null });
  options.onProgress?.(to);
  return (answer as Extract<Answer, { kind: "channels" }>).channels as ChannelCounts[];
}

/** Whether inputs may be a few samples of one channel, which need no task. */
function countsFew({ plan, setup, interleaved }: ChannelsWork): boolean {
  const isOne = interleaved === 1 && (plan.raw || setup !== null);
  const isSmall = plan.samples * SAMPLE_TRAITS[plan.type].bytes <= poolLimits.fewBytes;
  return isOne && isSmall && kernelOf(plan).sharing === undefined;
}

/** Prepares core's loop for the smallest inputs. It starts to load. Null: it would not have the cells of the plan. */
function fewestOnHost(host: Device, job: ChannelsJob): Prepared | null {
  const { plan } = job;
  const isSame =
    plan.algorithm === algorithms["per-lane"].slug &&
    plan.cells === (plan.raw ? core.BYTE_VALUES : plan.bins);
  if (!isSame || plan.samples * SAMPLE_TRAITS[plan.type].bytes > poolLimits.fewestBytes) return null;
  const prepared = host.prepare<"channels">({
    ...job,
    plan: { ...plan, algorithm: algorithms.sequential.slug },
  });
  // Until it is loaded, and if it cannot be, WebAssembly counts.
  prepared.ready?.().catch(() => {});
  return prepared;
}

function isFewest(input: Input): boolean {
  return input.kind !== "file" && samplesOf(input).bytes.length <= poolLimits.fewestBytes;
}

/** Returns the bytes of an input, or null if they are many. */
function fewBytes(input: Input): Uint8Array | null {
  if (input.kind === "file") return null;
  const { type, bytes, dense, pixels } = samplesOf(input);
  // Memory that was taken away is shorter.
  const isWhole = dense && bytes.length === pixels * SAMPLE_TRAITS[type].bytes;
  return isWhole && bytes.length <= poolLimits.fewBytes ? bytes : null;
}

/** Counts them on the calling thread. */
function countFew(here: Thread, work: ChannelsWork, bytes: Uint8Array, options: RunOptions): ChannelCounts[] {
  options.signal?.throwIfAborted();
  const counts = here.few(work, bytes) as ChannelCounts;
  options.onProgress?.(bytes.length / SAMPLE_TRAITS[work.plan.type].bytes);
  return [counts];
}

/** One call, with its counts. */
class ChannelsCall extends ChannelTotals implements Feed {
  readonly supply: InPlace;
  readonly most: number;

  constructor(work: ChannelsWork, supply: InPlace, workers: number) {
    super(work, workers);
    this.supply = supply;
    this.most = work.plan.chunkSamples;
  }

  task(steps: Steps, place: Place): Task {
    const { work, supply } = this;
    return { kind: "channels", work, steps, at: supply.at(place), tables: this.tablesOf(place) };
  }
}

/** Returns what threads count. */
function workOf({ plan, interleaved, channels, lowering }: ChannelsJob): ChannelsWork {
  const setup = plan.raw ? null : (kernelOf(plan).fused?.setup(lowering) ?? null);
  return { plan, interleaved, channels, lowering: setup === null && !plan.raw ? lowering : null, setup };
}

/** Finds the finite minimum and maximum on all workers. */
export async function extentOn(
  pool: Pool,
  input: Input,
  channels: readonly number[],
  options: RunOptions,
): Promise<Extent> {
  const { type } = input.kind === "file" ? input.file : samplesOf(input);
  let extent = NO_EXTENT;
  const onAnswer = (answer: Answer): void => {
    if (answer.kind === "extent") extent = joinExtents(extent, answer.extent);
  };
  await withSupply(pool, input, CHUNKS, (supply) => {
    const task: Feed["task"] = (steps, place) => {
      return { kind: "extent", type, channels, steps, at: supply.at(place) };
    };
    return feedPool(pool, { supply, most: core.MAX_SAMPLES, task, onAnswer }, options);
  });
  return extent;
}
