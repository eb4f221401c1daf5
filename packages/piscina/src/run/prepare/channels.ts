import type { Extent } from "@polybin/core";
import {
  type ChannelsJob,
  limits as core,
  type DeviceLaunch,
  type Input,
  joinExtents,
  NO_EXTENT,
  type Prepared,
  type RunOptions,
  SAMPLE_TRAITS,
  samplesOf,
} from "@polybin/core/backend";
import type { ChannelsWork, Steps, Task } from "../../counting/index.ts";
import { sourceOf } from "../../input/index.ts";
import { kernelOf } from "../../kernels/index.ts";
import { poolLimits, WORKER_CHUNK_BYTES } from "../../platform/index.ts";
import { ChannelTotals, sharedSets } from "../deliver/channels.ts";
import { timingsOf } from "../deliver/timings.ts";
import { type Feed, feedHere, feedPool, type Pieces } from "../dispatch/feed.ts";
import type { Pool } from "../dispatch/pool.ts";
import { InPlace, type InputSupply, type Way, withSupply } from "../dispatch/supply.ts";

/** Pixels in their own order, a chunk at a time. */
const CHUNKS: Way = { order: null, stepOf: (pixelBytes) => Math.floor(WORKER_CHUNK_BYTES / pixelBytes) };

/** Prepares counting of channels, on the workers and on the calling thread. */
export function prepareChannels(pool: Pool, job: ChannelsJob): Prepared {
  const { plan, channels, interleaved } = job;
  const bytes = plan.samples * interleaved * SAMPLE_TRAITS[plan.type].bytes;
  const work = workOf(job);
  return {
    /** Without workers, the calling thread counts. */
    get launch(): DeviceLaunch {
      const workers = bytes <= pool.syncBytes ? 0 : pool.threads;
      return Object.freeze({
        kernel: plan.algorithm,
        workers,
        chunkBytes: WORKER_CHUNK_BYTES,
        pieceBytes: poolLimits.pieceBytes,
        sharedTables: sharedSets(plan, Math.max(1, workers)) * channels.length,
      });
    },
    countSync(input, options) {
      const start = options.timed ? performance.now() : 0;
      const call = new ChannelsCall(work, new InPlace(sourceOf(input), CHUNKS), 1);
      feedHere(pool.here, call, options);
      return { channels: call.channels(), timings: timingsOf(start, 0, options.timed) };
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

/** One call, with its counts. */
class ChannelsCall extends ChannelTotals implements Feed {
  readonly pixels: number;
  readonly step: number;
  readonly pieces: Pieces | null;
  readonly most: number;
  readonly #supply: InputSupply;
  readonly #workers: number;

  constructor(work: ChannelsWork, supply: InputSupply, workers: number) {
    super(work, workers);
    this.pixels = supply.pixels;
    this.step = supply.step;
    this.pieces = supply.pieces;
    this.most = work.plan.chunkSamples;
    this.#supply = supply;
    this.#workers = workers;
  }

  task(steps: Steps, place: number): Task {
    const supply = this.#supply.at(steps, place);
    const tables = this.tablesOf(place % this.#workers);
    return { kind: "channels", work: this.work, supply, steps, tables };
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
  await withSupply(pool, input, CHUNKS, (supply) => {
    const feed: Feed = {
      pixels: supply.pixels,
      step: supply.step,
      pieces: supply.pieces,
      most: core.MAX_SAMPLES,
      task: (steps, place) => ({ kind: "extent", type, channels, supply: supply.at(steps, place), steps }),
      onAnswer(answer) {
        if (answer.kind === "extent") extent = joinExtents(extent, answer.extent);
      },
    };
    return feedPool(pool, feed, options);
  });
  return extent;
}
