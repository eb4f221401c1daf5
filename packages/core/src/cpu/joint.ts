import type { CellsInputs, CellsJob, CellsPart, RunOptions } from "../backend/index.ts";
import { Turns, U32_MAX } from "../base/index.ts";
import { samplesOf } from "../input/index.ts";
import { CellReader } from "../lowering/index.ts";
import type { Reference } from "../plan/index.ts";
import { JOINT_STEP } from "./limits.ts";

/**
 * Counts several columns on one JavaScript thread, a step of samples at a time.
 * @param reference the steps to simulate; null: cells are counted in a plain loop
 */
export async function countJoint(
  job: CellsJob,
  reference: Reference | null,
  inputs: CellsInputs,
  { signal, onProgress }: RunOptions,
): Promise<CellsPart> {
  const start = performance.now();
  const turns = new Turns(signal);
  const counter = new CellCounter(job.plan.cells);
  for (const done of steps(counter, job, reference, inputs)) {
    onProgress?.(done);
    await turns.next();
  }
  return partOf(counter, start);
}

/** Counts several columns synchronously, in a plain loop. */
export function countJointNow(job: CellsJob, inputs: CellsInputs): CellsPart {
  const start = performance.now();
  const counter = new CellCounter(job.plan.cells);
  for (const _ of steps(counter, job, null, inputs));
  return partOf(counter, start);
}

/** Yields the number of samples that are counted. */
function* steps(
  counter: CellCounter,
  { columns, plan }: CellsJob,
  reference: Reference | null,
  inputs: CellsInputs,
): Generator<number> {
  const reader = readerOf(columns, plan, inputs);
  const cells = new Uint32Array(
    Math.min(inputs.samples, reference === null ? JOINT_STEP : plan.chunkSamples),
  );
  for (let from = 0; from < inputs.samples; ) {
    const step = cells.subarray(0, inputs.samples - from);
    reader.read(from, step, plan.cells);
    if (reference === null) counter.count(step);
    else counter.add(reference(step, plan, plan.cells), step);
    from += step.length;
    yield from;
  }
}

function partOf(counter: CellCounter, start: number): CellsPart {
  const timings = { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start };
  return { ...counter.counted(), timings };
}

function readerOf(
  columns: CellsJob["columns"],
  plan: CellsJob["plan"],
  { columns: inputs, mask, where }: CellsInputs,
): CellReader {
  const sources = columns.map(({ lowering, channel }, k) => {
    return { column: plan.columns[k]!, lowering, samples: samplesOf(inputs[k]!), channel };
  });
  const chosen = mask === null || plan.mask === "none" ? null : { kind: plan.mask, samples: samplesOf(mask) };
  return new CellReader(sources, { mask: chosen, where });
}

/**
 * Counts cells in one table.
 *
 *   table   one 32-bit counter per cell, then one for masked samples
 */
class CellCounter {
  readonly #table: Uint32Array;
  readonly #totals: Float64Array;
  /** Samples in the table, whose counters have 32 bits. */
  #inTable = 0;

  constructor(cells: number) {
    this.#table = new Uint32Array(cells + 1);
    this.#totals = new Float64Array(cells + 1);
  }

  /** Counts one sample after the other. A masked one has the number after the last cell. */
  count(cells: Uint32Array): void {
    this.#makeRoom(cells.length);
    const table = this.#table;
    for (let i = 0; i < cells.length; i++) table[cells[i]!]!++;
  }

  /** Adds the counts that a simulation made of `cells`. */
  add(counts: Float64Array, cells: Uint32Array): void {
    this.#makeRoom(cells.length);
    const table = this.#table;
    const none = counts.length;
    for (let cell = 0; cell < none; cell++) table[cell]! += counts[cell]!;
    for (let i = 0; i < cells.length; i++) if (cells[i] === none) table[none]!++;
  }

  counted(): Pick<CellsPart, "cells" | "masked"> {
    this.#flush();
    const cells = this.#totals.slice(0, -1);
    return { cells, masked: this.#totals[cells.length]! };
  }

  #makeRoom(samples: number): void {
    if (this.#inTable + samples > U32_MAX) this.#flush();
    this.#inTable += samples;
  }

  /** Moves the 32-bit counts to the totals. */
  #flush(): void {
    const [table, totals] = [this.#table, this.#totals];
    for (let cell = 0; cell < table.length; cell++) totals[cell]! += table[cell]!;
    table.fill(0);
    this.#inTable = 0;
  }
}
