import type {
  CellsInputs,
  CellsJob,
  CellsPart,
  DeviceLaunch,
  Input,
  PreparedCells,
  RunOptions,
} from "@polybin/core/backend";
import {
  BLOCK_SAMPLES,
  beginCells,
  type CellSources,
  cellLayout,
  cellReaderOf,
  takeCells,
} from "../../counting/index.ts";
import { type Read, type Source, sourceOf, withSources } from "../../input/index.ts";
import { type CellWork, jointKernelOf, type Lookup } from "../../kernels/index.ts";
import { inShared, poolLimits, WORKER_CHUNK_BYTES } from "../../platform/index.ts";
import { type Placing, placing } from "../deliver/places.ts";
import { timingsOf } from "../deliver/timings.ts";
import type { Feed, Pieces } from "../dispatch/feed.ts";
import { feedHere, feedPool } from "../dispatch/launches.ts";
import type { Pool } from "../dispatch/pool.ts";

/** A prepared count of cells that the calling thread can run, too. */
export type PreparedHere = PreparedCells & { readonly countSync: NonNullable<PreparedCells["countSync"]> };

/** Prepares a count of cells on the workers, and on the calling thread for few samples. */
export function prepareCells(pool: Pool, job: CellsJob): PreparedHere {
  const { work, lookups } = jointKernelOf(job.plan.algorithm)!.prepare(job);
  const shared: Shared = { pool, job, work, lookups, place: placing(job, work) };
  const bytes = work.columns.reduce((sum, column) => sum + column.bytes, 0);
  const isHere = (samples: number) => samples * bytes <= pool.syncBytes;
  const countSync: PreparedHere["countSync"] = (inputs, options) => {
    const call = callOf(shared, inputs, inputsOf(inputs).map(sourceOf), "here");
    feedHere(pool.here, call, options);
    return call.part(0, options);
  };
  return {
    /** The calling thread counts, too. */
    get launch(): DeviceLaunch {
      return Object.freeze({
        kernel: job.plan.algorithm,
        workers: pool.workersFor(job.plan.samples * bytes),
        blockSamples: BLOCK_SAMPLES,
        cellBits: work.isNarrow ? 16 : 32,
        sharedTables: work.isShared ? 1 : 0,
      });
    },
    countSync,
    async count(inputs, options) {
      const all = inputsOf(inputs);
      if (isHere(inputs.samples) && all.every(({ kind }) => kind !== "file"))
        return countSync(inputs, options);
      return withSources(all, async (sources, isShared) => {
        const where = inputs.where && (isShared ? inShared(inputs.where) : inputs.where);
        const call = callOf(shared, { ...inputs, where }, sources, isShared ? "workers" : "pieces");
        return call.part(await feedPool(pool, call, options), options);
      });
    },
  };
}

/** Returns every input once, and the mask last. */
function inputsOf({ columns, mask }: CellsInputs): readonly Input[] {
  const distinct = [...new Set(columns)];
  return mask === null ? distinct : [...distinct, mask];
}

/** Everything that the calls of a job share. */
interface Shared {
  readonly pool: Pool;
  readonly job: CellsJob;
  readonly work: CellWork;
  readonly lookups: readonly Lookup[];
  readonly place: Placing;
}

/** The copies to slots: by the calling thread that counts them, by workers, or by the calling thread for workers. */
type Way = "here" | "workers" | "pieces";

/** Returns one call, with its memory and what was counted until now. */
function callOf(shared: Shared, inputs: CellsInputs, sources: readonly Source[], way: Way): CellsCall {
  const start = performance.now();
  const { pool, job, work, lookups, place } = shared;
  const { columns, mask, where, samples } = inputs;
  const all = inputsOf(inputs);
  const columnSources = mask === null ? sources : sources.slice(0, -1);
  const pixelBytes = columnSources.map(({ geometry }) => geometry.pixelBytes);
  const isCopied = way === "pieces";
  const isHere = sources.every(({ kind }) => kind === "memory");
  const workers = way === "here" ? 0 : pool.threads;
  // The calling thread has a slot and a table, too.
  const own = isHere ? 1 : 0;
  const most = workers * (isCopied ? poolLimits.piecesPerThread : 1) + own;
  // Every slot has a piece.
  const pixels = isCopied
    ? chunkPixels(pixelBytes, pieceBytes(pixelBytes.length, most), Math.ceil(samples / most))
    : chunkPixels(pixelBytes, WORKER_CHUNK_BYTES, samples);
  const slots = Math.min(most, Math.ceil(samples / pixels) + own);
  const tables = work.isShared ? 1 : Math.min(slots, workers + own);
  const inputOf = columns.map((input) => all.indexOf(input));
  const layout = cellLayout({ work, lookups, inputOf, pixelBytes, pixels, tables, slots });
  const visible = pool.cells.take(layout.bytes);
  const { memory } = visible;
  beginCells(memory, layout, lookups);
  const hasBits = job.plan.mask === "bits";
  const reached: CellSources = { inputs: columnSources, mask: mask && sources.at(-1)!, hasBits, where };
  const totals = new Float64Array(work.cells);
  let masked = 0;
  const readers: Read[] = [];
  const copy: Pieces["copy"] = (first, end, slot) => {
    readers[slot] ??= cellReaderOf(memory, layout, reached, slot);
    readers[slot](first, end);
  };
  const task = { kind: "cells", work, layout, memory: visible, sources: isCopied ? null : reached } as const;
  return {
    supply: {
      pixels: samples,
      step: pixels,
      pixelBytes: pixelBytes.reduce((sum, bytes) => sum + bytes, 0),
      pieces: isCopied ? { pixels, slots: slots - own, copy } : null,
      isHere,
    },
    most: job.plan.chunkSamples,
    task(steps, place) {
      if (place === "here") return { ...task, sources: reached, slot: slots - 1, steps };
      return { ...task, slot: place, steps };
    },
    onAnswer(answer) {
      if (answer.kind === "cells") masked += answer.masked;
    },
    end: () => takeCells(memory, layout, work, totals),
    part(uploadMs, { timed }) {
      pool.cells.give(visible);
      totals[0]! -= masked;
      return { cells: place(totals), masked, timings: timingsOf(start, uploadMs, timed) };
    },
  };
}

/** A call of a count of cells. */
interface CellsCall extends Feed {
  /** Returns the counts, and the memory to the pool. A call that failed does not, because workers may still write to it. */
  part(uploadMs: number, options: RunOptions): CellsPart;
}

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
