import {
  type DeviceLaunch,
  type Input,
  type JointInputs,
  type JointJob,
  type JointPartial,
  type PreparedJoint,
  type RunOptions,
  samplesOf,
} from "@polybin/core/backend";
import {
  BLOCK_SAMPLES,
  beginCells,
  CellCounter,
  type CellLayout,
  CellReader,
  type CellSources,
  type CellTask,
  cellLayout,
  takeCells,
} from "../counting/index.ts";
import { type CellWork, jointKernelOf, type Lookup } from "../kernels/index.ts";
import {
  inShared,
  poolLimits,
  type Visible,
  type VisibleInstances,
  WORKER_CHUNK_BYTES,
} from "../platform/index.ts";
import { newControl, type Reached, reach, type Source } from "../task/index.ts";
import { placed } from "./places.ts";
import type { Pool } from "./pool.ts";
import { runSlots } from "./slots.ts";

/** Everything that the calls of a job share. */
interface Shared {
  readonly pool: Pool;
  readonly instances: VisibleInstances;
  readonly job: JointJob;
  readonly work: CellWork;
  readonly lookups: readonly Lookup[];
}

/** Prepares a joint count on a pool, and on the calling thread for few samples. */
export function prepareJoint(pool: Pool, instances: VisibleInstances, job: JointJob): PreparedJoint {
  const shared = { pool, instances, job, ...jointKernelOf(job.plan.algorithm)!.prepare(job) };
  const { columns, isNarrow, isShared } = shared.work;
  const bytes = job.plan.samples * columns.reduce((sum, column) => sum + column.bytes, 0);
  return {
    /** Without workers, the calling thread counts. */
    get launch(): DeviceLaunch {
      return Object.freeze({
        kernel: job.plan.algorithm,
        workers: bytes <= pool.syncBytes ? 0 : pool.threads,
        blockSamples: BLOCK_SAMPLES,
        cellBits: isNarrow ? 16 : 32,
        sharedTables: isShared ? 1 : 0,
      });
    },
    async count(inputs, options) {
      const reached = await reachAll(inputs, job.plan.mask === "bits");
      try {
        const partial = await count(shared, inputs, reached, bytes <= pool.syncBytes, options);
        await reached.check();
        return partial;
      } finally {
        await reached.release();
      }
    },
  };
}

/** The inputs of a call as threads reach them. */
interface ReachedAll {
  /** The place of each column's input among `sources`. */
  readonly inputOf: readonly number[];
  readonly sources: CellSources;
  /** Whether workers can read all sources. */
  readonly isShared: boolean;
  check(): Promise<void>;
  release(): Promise<void>;
}

async function reachAll({ columns, mask, where }: JointInputs, hasBits: boolean): Promise<ReachedAll> {
  const distinct = [...new Set(columns)];
  const inputs = mask === null ? distinct : [...distinct, mask];
  const reached: Reached[] = [];
  const release = async () => {
    for (const one of reached) await one.release();
  };
  try {
    for (const input of inputs) reached.push(await reach(input));
  } catch (error) {
    await release();
    throw error;
  }
  // The calling thread reads no files, so workers have to reach everything else as well.
  const isShared =
    inputs.some(({ kind }) => kind === "file") || reached.every(({ source }) => source !== null);
  const sources = inputs.map((input, i) => reached[i]!.source ?? inMemory(input, reached[i]!, isShared));
  return {
    inputOf: columns.map((input) => distinct.indexOf(input)),
    sources: {
      inputs: sources.slice(0, distinct.length),
      mask: mask === null ? null : sources.at(-1)!,
      hasBits,
      where: where !== null && isShared ? inShared(where) : where,
    },
    isShared,
    check: async () => {
      for (const one of reached) await one.check();
    },
    release,
  };
}

function inMemory(input: Input, { geometry }: Reached, isShared: boolean): Source {
  const { bytes } = samplesOf(input);
  return { kind: "memory", geometry, bytes: isShared ? inShared(bytes) : bytes };
}

/** One launch: samples that no 32-bit counter can be too small for. */
interface Launch extends Shared, Pick<ReachedAll, "sources"> {
  readonly layout: CellLayout;
  readonly memory: Visible;
  readonly slots: number;
  readonly from: number;
  readonly to: number;
  readonly options: RunOptions;
}

/** The outcome of a launch: the number of masked samples, and the milliseconds spent on copying. */
interface Outcome {
  readonly masked: number;
  readonly uploadMs: number;
}

/** @param isHere whether the calling thread counts */
async function count(
  shared: Shared,
  { samples }: JointInputs,
  { sources, inputOf, isShared }: ReachedAll,
  isHere: boolean,
  options: RunOptions,
): Promise<JointPartial> {
  const start = performance.now();
  const { pool, job, work, lookups } = shared;
  const isOnCaller = isHere && sources.inputs.every(({ kind }) => kind === "memory");
  const pixelBytes = sources.inputs.map(({ geometry }) => geometry.pixelBytes);
  const chunkBytes = isShared || isOnCaller ? WORKER_CHUNK_BYTES : poolLimits.pieceBytes;
  const pixels = chunkPixels(pixelBytes, chunkBytes, samples);
  const most = Math.ceil(samples / pixels);
  const slots = isOnCaller
    ? 1
    : Math.min(most, isShared ? pool.threads : pool.threads * poolLimits.piecesPerThread);
  const tables = work.isShared ? 1 : Math.min(slots, pool.threads);
  const layout = cellLayout({ work, lookups, inputOf, pixelBytes, pixels, tables, slots });
  const memory = pool.cells.take(layout.bytes);
  beginCells(memory.memory, layout, lookups);
  const run = isOnCaller ? runHere : isShared ? runShared : runPieces;
  const perLaunch = Math.max(1, Math.floor(job.plan.chunkSamples / pixels)) * pixels;
  const totals = new Float64Array(work.cells);
  let masked = 0;
  let uploadMs = 0;
  for (let from = 0; from < samples; from += perLaunch) {
    const onProgress = options.onProgress && ((done: number) => options.onProgress!(from + done));
    const to = Math.min(samples, from + perLaunch);
    const own = { sources, layout, memory, slots, from, to, options: { ...options, onProgress } };
    const outcome = await run({ ...shared, ...own });
    masked += outcome.masked;
    uploadMs += outcome.uploadMs;
    takeCells(memory.memory, layout, work, totals);
  }
  // A call that failed never gets here: a worker may still write to its memory.
  pool.cells.give(memory);
  totals[0]! -= masked;
  const kernelMs = options.timed ? performance.now() - start - uploadMs : 0;
  const timings = { readMs: 0, uploadMs: options.timed ? uploadMs : 0, kernelMs };
  return { cells: placed(totals, job, work), masked, timings };
}

/** Returns the pixels of a chunk: whole blocks if they fit, and a multiple of 8. */
function chunkPixels(pixelBytes: readonly number[], bytes: number, samples: number): number {
  const fit = Math.floor(bytes / pixelBytes.reduce((sum, one) => sum + one, 0));
  const whole = fit >= BLOCK_SAMPLES ? BLOCK_SAMPLES : BITS;
  return Math.max(BITS, Math.min(fit - (fit % whole), Math.ceil(samples / BITS) * BITS));
}

/** Bits per byte of a mask. */
const BITS = 8;

async function runHere({
  instances,
  work,
  layout,
  memory,
  sources,
  from,
  to,
  options,
}: Launch): Promise<Outcome> {
  options.signal?.throwIfAborted();
  const reader = new CellReader(memory.memory, layout, sources, work, 0);
  const counter = new CellCounter(instances.exportsOf(memory), work, layout, 0, 0);
  let masked = 0;
  for (let first = from; first < to; first += layout.pixels) {
    const pixels = Math.min(layout.pixels, to - first);
    reader.read(first, pixels);
    masked += counter.count(pixels);
  }
  options.onProgress?.(to - from);
  return { masked, uploadMs: 0 };
}

/** Lets all workers take chunks of the sources in turn. */
async function runShared({
  pool,
  work,
  layout,
  memory,
  sources,
  slots,
  from,
  to,
  options,
}: Launch): Promise<Outcome> {
  const control = newControl();
  const tasks = Array.from({ length: slots }, (_, slot): CellTask => {
    return { work, layout, memory, slot, sources, from, to, control };
  });
  const answers = await pool.run(tasks, control, options);
  const masked = answers.reduce((sum, answer) => sum + (answer.kind === "cells" ? answer.masked : 0), 0);
  return { masked, uploadMs: 0 };
}

/** Copies pieces to slots, where workers count them. */
async function runPieces({
  pool,
  work,
  layout,
  memory,
  sources,
  slots,
  from,
  to,
  options,
}: Launch): Promise<Outcome> {
  const readers = Array.from(
    { length: slots },
    (_, slot) => new CellReader(memory.memory, layout, sources, work, slot),
  );
  let masked = 0;
  const uploadMs = await runSlots(
    pool,
    {
      from: from / layout.pixels,
      to: Math.ceil(to / layout.pixels),
      bytes: layout.slotBytes,
      slots: Math.min(slots, Math.ceil((to - from) / layout.pixels)),
      memoryOf: (slot) =>
        new Uint8Array(memory.memory.buffer, layout.slot + slot * layout.slotBytes, layout.slotBytes),
      copy(piece, _, slot) {
        const first = piece * layout.pixels;
        const pixels = Math.min(layout.pixels, to - first);
        readers[slot]!.read(first, pixels);
        return pixels;
      },
      task: (_piece, _memory, pixels, control, slot): CellTask => {
        return { work, layout, memory, slot, sources: null, from: 0, to: pixels, control };
      },
      onAnswer(answer) {
        if (answer.kind === "cells") masked += answer.masked;
      },
    },
    options,
  );
  return { masked, uploadMs };
}
