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
  type Answer,
  BLOCK_SAMPLES,
  beginCells,
  type CellLayout,
  CellReader,
  type CellSources,
  cellLayout,
  type Steps,
  type Task,
  takeCells,
} from "../../counting/index.ts";
import { type Source, sourceOf, withSources } from "../../input/index.ts";
import { type CellWork, jointKernelOf, type Lookup } from "../../kernels/index.ts";
import { inShared, poolLimits, type Visible, WORKER_CHUNK_BYTES } from "../../platform/index.ts";
import { type Placing, placing } from "../deliver/places.ts";
import { timingsOf } from "../deliver/timings.ts";
import { type Feed, feedHere, feedPool, type Pieces } from "../dispatch/feed.ts";
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
    const call = new CellsCall(shared, inputs, {
      sources: inputsOf(inputs).map(sourceOf),
      slots: 1,
      isCopied: false,
    });
    feedHere(pool.here, call, options);
    return call.part(0, options);
  };
  return {
    /** Without workers, the calling thread counts. */
    get launch(): DeviceLaunch {
      return Object.freeze({
        kernel: job.plan.algorithm,
        workers: isHere(job.plan.samples) ? 0 : pool.threads,
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
        const slots = pool.threads * (isShared ? 1 : poolLimits.piecesPerThread);
        const where = inputs.where && (isShared ? inShared(inputs.where) : inputs.where);
        const call = new CellsCall(shared, { ...inputs, where }, { sources, slots, isCopied: !isShared });
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

/** How threads reach the inputs of a call. */
interface Reach {
  /** The sources of `inputsOf`. */
  readonly sources: readonly Source[];
  /** The number of slots if there are as many chunks. */
  readonly slots: number;
  /** Whether this thread copies pieces to the slots. Otherwise the threads that count copy chunks there. */
  readonly isCopied: boolean;
}

/** One call: its memory, and what was counted until now. */
class CellsCall implements Feed {
  readonly pixels: number;
  readonly step: number;
  readonly most: number;
  readonly pieces: Pieces | null;
  readonly #shared: Shared;
  readonly #sources: CellSources;
  readonly #layout: CellLayout;
  readonly #memory: Visible;
  readonly #totals: Float64Array;
  readonly #start: number = performance.now();
  #masked = 0;

  constructor(shared: Shared, inputs: CellsInputs, { sources, slots: most, isCopied }: Reach) {
    const { pool, job, work, lookups } = shared;
    const { columns, mask, where, samples } = inputs;
    const distinct = [...new Set(columns)];
    const own = sources.slice(0, distinct.length);
    const pixelBytes = own.map(({ geometry }) => geometry.pixelBytes);
    // Every slot has a piece.
    const pixels = isCopied
      ? chunkPixels(pixelBytes, pieceBytes(pixelBytes.length, most), Math.ceil(samples / most))
      : chunkPixels(pixelBytes, WORKER_CHUNK_BYTES, samples);
    const slots = Math.min(most, Math.ceil(samples / pixels));
    const tables = work.isShared ? 1 : Math.min(slots, pool.threads);
    const inputOf = columns.map((input) => distinct.indexOf(input));
    this.#layout = cellLayout({ work, lookups, inputOf, pixelBytes, pixels, tables, slots });
    this.#memory = pool.cells.take(this.#layout.bytes);
    beginCells(this.#memory.memory, this.#layout, lookups);
    this.#shared = shared;
    this.#sources = {
      inputs: own,
      mask: mask && sources.at(-1)!,
      hasBits: job.plan.mask === "bits",
      where,
    };
    this.#totals = new Float64Array(work.cells);
    this.pixels = samples;
    this.step = pixels;
    this.most = job.plan.chunkSamples;
    this.pieces = isCopied ? this.#piecesIn(slots) : null;
  }

  #piecesIn(length: number): Pieces {
    const [memory, layout] = [this.#memory.memory, this.#layout];
    const readers = Array.from({ length }, (_, slot) => new CellReader(memory, layout, this.#sources, slot));
    return { pixels: this.step, copy: (first, end, slot) => readers[slot]!.read(first, end) };
  }

  task(steps: Steps, slot: number): Task {
    const { work } = this.#shared;
    const sources = this.pieces === null ? this.#sources : null;
    return { kind: "cells", work, layout: this.#layout, memory: this.#memory, slot, sources, steps };
  }

  onAnswer(answer: Answer): void {
    if (answer.kind === "cells") this.#masked += answer.masked;
  }

  end(): void {
    takeCells(this.#memory.memory, this.#layout, this.#shared.work, this.#totals);
  }

  /** Returns the counts, and the memory to the pool. A call that failed does not, because workers may still write to it. */
  part(uploadMs: number, { timed }: RunOptions): CellsPart {
    const { pool, place } = this.#shared;
    pool.cells.give(this.#memory);
    this.#totals[0]! -= this.#masked;
    const cells = place(this.#totals);
    return { cells, masked: this.#masked, timings: timingsOf(this.#start, uploadMs, timed) };
  }
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
