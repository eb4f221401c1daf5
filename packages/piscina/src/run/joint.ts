import type {
  CellsInputs,
  CellsJob,
  CellsPart,
  DeviceLaunch,
  PreparedCells,
  RunOptions,
} from "@polybin/core/backend";
import {
  BLOCK_SAMPLES,
  beginCells,
  CellCounter,
  type CellLayout,
  CellReader,
  type CellTask,
  cellLayout,
  takeCells,
} from "../counting/index.ts";
import { type CellWork, jointKernelOf, type Lookup } from "../kernels/index.ts";
import { poolLimits, type Visible, type VisibleInstances, WORKER_CHUNK_BYTES } from "../platform/index.ts";
import { newControl } from "../task/index.ts";
import { type Placing, placing } from "./places.ts";
import type { Pool } from "./pool.ts";
import { type ReachedSources, reachInMemory, reachSources } from "./reach-sources.ts";
import { runSlots } from "./slots.ts";

/** Everything that the calls of a job share. */
interface Shared {
  readonly pool: Pool;
  readonly instances: VisibleInstances;
  readonly job: CellsJob;
  readonly work: CellWork;
  readonly lookups: readonly Lookup[];
  readonly place: Placing;
}

/** Prepares a joint count on a pool, and on the calling thread for few samples. */
export function prepareJoint(
  pool: Pool,
  instances: VisibleInstances,
  job: CellsJob,
): PreparedCells & { readonly countSync: NonNullable<PreparedCells["countSync"]> } {
  const { work, lookups } = jointKernelOf(job.plan.algorithm)!.prepare(job);
  const shared: Shared = { pool, instances, job, work, lookups, place: placing(job, work) };
  const { columns, isNarrow, isShared } = work;
  const hasBits = job.plan.mask === "bits";
  const bytes = columns.reduce((sum, column) => sum + column.bytes, 0);
  const isHere = (samples: number) => samples * bytes <= pool.syncBytes;
  const countSync: NonNullable<PreparedCells["countSync"]> = (inputs, options) => {
    options.signal?.throwIfAborted();
    const run = new JointRun(shared, inputs, reachInMemory(inputs, hasBits), 1, options);
    for (const range of run.ranges()) run.add(countHere(run, range));
    return run.end();
  };
  return {
    /** Without workers, the calling thread counts. */
    get launch(): DeviceLaunch {
      return Object.freeze({
        kernel: job.plan.algorithm,
        workers: isHere(job.plan.samples) ? 0 : pool.threads,
        blockSamples: BLOCK_SAMPLES,
        cellBits: isNarrow ? 16 : 32,
        sharedTables: isShared ? 1 : 0,
      });
    },
    countSync,
    async count(inputs, options) {
      const isInMemory = inputs.columns.every(({ kind }) => kind !== "file");
      if (isInMemory && isHere(inputs.samples)) return countSync(inputs, options);
      const reached = await reachSources(inputs, hasBits);
      try {
        const perThread = reached.isShared ? 1 : poolLimits.piecesPerThread;
        const run = new JointRun(shared, inputs, reached, pool.threads * perThread, options);
        for (const range of run.ranges()) {
          run.add(await (reached.isShared ? countShared(run, range) : countPieces(run, range)));
        }
        await reached.check();
        return run.end();
      } finally {
        await reached.release();
      }
    },
  };
}

/** Samples that no 32-bit counter can be too small for. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly options: RunOptions;
}

/** The outcome of a range: the number of masked samples, and the milliseconds spent on copying. */
interface Outcome {
  readonly masked: number;
  readonly uploadMs: number;
}

/** One call: its memory, and what was counted until now. */
class JointRun {
  readonly shared: Shared;
  readonly reached: ReachedSources;
  readonly layout: CellLayout;
  readonly memory: Visible;
  readonly slots: number;
  readonly #samples: number;
  readonly #options: RunOptions;
  readonly #totals: Float64Array;
  readonly #start: number = performance.now();
  #masked = 0;
  #uploadMs = 0;

  /** @param most the number of slots if there are as many chunks */
  constructor(
    shared: Shared,
    { samples }: CellsInputs,
    reached: ReachedSources,
    most: number,
    options: RunOptions,
  ) {
    const { pool, work, lookups } = shared;
    const { sources, inputOf, isShared } = reached;
    const pixelBytes = sources.inputs.map(({ geometry }) => geometry.pixelBytes);
    const isCopied = !isShared && most > 1;
    // Every slot has a piece.
    const pixels = isCopied
      ? chunkPixels(pixelBytes, pieceBytes(pixelBytes.length, most), Math.ceil(samples / most))
      : chunkPixels(pixelBytes, WORKER_CHUNK_BYTES, samples);
    this.slots = Math.min(most, Math.ceil(samples / pixels));
    const tables = work.isShared ? 1 : Math.min(this.slots, pool.threads);
    this.layout = cellLayout({ work, lookups, inputOf, pixelBytes, pixels, tables, slots: this.slots });
    this.memory = pool.cells.take(this.layout.bytes);
    beginCells(this.memory.memory, this.layout, lookups);
    this.shared = shared;
    this.reached = reached;
    this.#samples = samples;
    this.#options = options;
    this.#totals = new Float64Array(work.cells);
  }

  *ranges(): Iterable<Range> {
    const { pixels } = this.layout;
    const { onProgress } = this.#options;
    const most = Math.max(1, Math.floor(this.shared.job.plan.chunkSamples / pixels)) * pixels;
    for (let from = 0; from < this.#samples; from += most) {
      const options = {
        ...this.#options,
        onProgress: onProgress && ((done: number) => onProgress(from + done)),
      };
      yield { from, to: Math.min(this.#samples, from + most), options };
    }
  }

  /** Adds the counts of a range, which are in the tables. */
  add({ masked, uploadMs }: Outcome): void {
    this.#masked += masked;
    this.#uploadMs += uploadMs;
    takeCells(this.memory.memory, this.layout, this.shared.work, this.#totals);
  }

  /** Returns the counts, and the memory to the pool. A call that failed does not, because workers may still write to it. */
  end(): CellsPart {
    const { pool, place } = this.shared;
    pool.cells.give(this.memory);
    this.#totals[0]! -= this.#masked;
    const cells = place(this.#totals);
    const uploadMs = this.#uploadMs;
    const timings = this.#options.timed
      ? { readMs: 0, uploadMs, kernelMs: performance.now() - this.#start - uploadMs }
      : NO_TIMINGS;
    return { cells, masked: this.#masked, timings };
  }
}

const NO_TIMINGS = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** Returns the bytes of a piece: as many of each input as a piece of a single one, unless all slots would be too large. */
function pieceBytes(inputs: number, slots: number): number {
  const share = Math.floor(poolLimits.cellMemoryBytes / slots);
  return Math.max(WORKER_CHUNK_BYTES, Math.min(poolLimits.pieceBytes * inputs, share));
}

/** Returns the pixels of a chunk: whole blocks if they fit, and a multiple of 8 that is hardly more than `most`. */
function chunkPixels(pixelBytes: readonly number[], bytes: number, most: number): number {
  const fit = Math.floor(bytes / pixelBytes.reduce((sum, one) => sum + one, 0));
  const whole = fit >= BLOCK_SAMPLES ? BLOCK_SAMPLES : BITS;
  return Math.max(BITS, Math.min(fit - (fit % whole), Math.ceil(most / BITS) * BITS));
}

/** Bits per byte of a mask. */
const BITS = 8;

/** Counts on the calling thread. */
function countHere({ shared, reached, layout, memory }: JointRun, { from, to, options }: Range): Outcome {
  const { instances, work } = shared;
  const reader = new CellReader(memory.memory, layout, reached.sources, work, 0);
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
async function countShared(
  { shared: { pool, work }, reached: { sources }, layout, memory, slots }: JointRun,
  { from, to, options }: Range,
): Promise<Outcome> {
  const control = newControl();
  const tasks = Array.from({ length: slots }, (_, slot): CellTask => {
    return { work, layout, memory, slot, sources, from, to, control };
  });
  const answers = await pool.run(tasks, control, options);
  const masked = answers.reduce((sum, answer) => sum + (answer.kind === "cells" ? answer.masked : 0), 0);
  return { masked, uploadMs: 0 };
}

/** Copies pieces to slots, where workers count them. */
async function countPieces(
  { shared: { pool, work }, reached: { sources }, layout, memory, slots }: JointRun,
  { from, to, options }: Range,
): Promise<Outcome> {
  const { pixels: most, slot: start, slotBytes } = layout;
  const readers = Array.from(
    { length: slots },
    (_, slot) => new CellReader(memory.memory, layout, sources, work, slot),
  );
  let masked = 0;
  const uploadMs = await runSlots(
    pool,
    {
      from: from / most,
      to: Math.ceil(to / most),
      bytes: slotBytes,
      slots: Math.min(slots, Math.ceil((to - from) / most)),
      memoryOf: (slot) => new Uint8Array(memory.memory.buffer, start + slot * slotBytes, slotBytes),
      copy(piece, _, slot) {
        const first = piece * most;
        const pixels = Math.min(most, to - first);
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
