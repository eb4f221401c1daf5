import type { Extent } from "@polybin/core";
import {
  type CountJob,
  limits as core,
  type DeviceLaunch,
  type Input,
  joinExtents,
  NO_EXTENT,
  type Prepared,
  type RunOptions,
  SAMPLE_TRAITS,
} from "@polybin/core/backend";
import { poolLimits, WORKER_CHUNK_BYTES } from "../platform/index.ts";
import { Chunks, newControl, reach, type Task } from "../task/index.ts";
import type { Launch, Part, Shape } from "./part.ts";
import { runPieces } from "./pieces.ts";
import type { Pool } from "./pool.ts";
import { SharedTables, tableSets } from "./shared-tables.ts";
import type { Counting } from "./sync.ts";
import { Totals } from "./totals.ts";
import { type OwnWork, workHere, workThere } from "./work.ts";

/** Prepares counting on a pool, whose workers take the chunks in turn, and on the calling thread. */
export function prepareCount(pool: Pool, counting: Counting, job: CountJob): Prepared {
  const { plan, channels, interleaved } = job;
  const shape = { type: plan.type, channels };
  const bytes = plan.samples * interleaved * SAMPLE_TRAITS[plan.type].bytes;
  const here = workHere(job);
  let there: OwnWork | undefined;
  const launchOn = (workers: number): DeviceLaunch =>
    Object.freeze({
      kernel: plan.algorithm,
      workers,
      chunkBytes: WORKER_CHUNK_BYTES,
      pieceBytes: poolLimits.pieceBytes,
      sharedTables: tableSets(plan, Math.max(1, workers)) * channels.length,
    });
  return {
    /** Without workers, the calling thread counts. */
    get launch() {
      return launchOn(bytes <= pool.syncBytes ? 0 : pool.threads);
    },
    countSync(input, options) {
      const start = options.timed ? performance.now() : 0;
      const found = counting.count(input, here, shape, options);
      const kernelMs = options.timed ? performance.now() - start : 0;
      return { channels: found, timings: { readMs: 0, uploadMs: 0, kernelMs } };
    },
    async count(input, options) {
      there ??= workThere(here);
      const work = there;
      const totals = new Totals(channels.length, plan.cells);
      const times = await onInput(pool, input, shape, plan.chunkSamples, options, () => {
        const shared = new SharedTables(plan, channels.length, pool.threads);
        return {
          workOf: (worker) => ({ ...work, tables: shared.of(worker) }),
          onAnswer: (answer) => {
            if (answer.kind !== "count") return;
            answer.flow.forEach((flow, i) => {
              totals.add(i, { cells: answer.tables[i] ?? null, flow });
            });
          },
          atEnd: () => shared.sets.forEach((tables) => void totals.addTables(tables)),
        };
      });
      const timings = options.timed ? { readMs: 0, ...times } : NO_TIMINGS;
      return { channels: totals.channels(), timings };
    },
  };
}

const NO_TIMINGS = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** Finds the finite minimum and maximum on all workers. */
export async function extentJob(
  pool: Pool,
  input: Input,
  shape: Shape,
  options: RunOptions,
): Promise<Extent> {
  let extent = NO_EXTENT;
  await onInput(pool, input, shape, core.MAX_SAMPLES, options, () => ({
    workOf: () => ({ kind: "extent" }),
    onAnswer: (answer) => {
      if (answer.kind === "extent") extent = joinExtents(extent, answer.extent);
    },
    atEnd: () => {},
  }));
  return extent;
}

async function onInput(
  pool: Pool,
  input: Input,
  shape: Shape,
  launchPixels: number,
  options: RunOptions,
  newLaunch: () => Launch,
): Promise<{ uploadMs: number; kernelMs: number }> {
  const start = performance.now();
  const reached = await reach(input);
  let uploadMs = 0;
  try {
    const bytes = reached.source === null ? poolLimits.pieceBytes : WORKER_CHUNK_BYTES;
    const most = Math.floor(bytes / reached.geometry.pixelBytes);
    const chunks = new Chunks(reached.geometry, most);
    const perLaunch = Math.max(1, Math.floor(launchPixels / most));
    let before = 0;
    for (let from = 0; from < chunks.count; from += perLaunch) {
      const range = { from, to: Math.min(from + perLaunch, chunks.count) };
      const launch = newLaunch();
      const onProgress = options.onProgress && ((done: number) => options.onProgress?.(before + done));
      const part = { pool, input, shape, reached, range, launch, options: { ...options, onProgress } };
      if (reached.source === null) uploadMs += await runPieces(part, chunks);
      else await runShared(part, reached.source);
      launch.atEnd();
      before += perLaunch * most;
    }
    await reached.check();
  } finally {
    await reached.release();
  }
  return { uploadMs, kernelMs: performance.now() - start - uploadMs };
}

/** Lets all workers take chunks of one source in turn. */
async function runShared(
  { pool, shape, reached, range, launch, options }: Part,
  source: Task["source"],
): Promise<void> {
  const control = newControl();
  const workers = Math.min(pool.threads, range.to - range.from);
  const tasks = Array.from({ length: workers }, (_, worker) => ({
    source,
    ...shape,
    interleaved: reached.interleaved,
    chunks: range,
    control,
    work: launch.workOf(worker),
  }));
  for (const answer of await pool.run(tasks, control, options)) launch.onAnswer(answer);
}
