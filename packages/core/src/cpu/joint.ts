import type { JointInputs, JointJob, JointPartial, RunOptions } from "../backend/index.ts";
import { Turns, U32_MAX } from "../base/index.ts";
import { RunReader, samplesOf } from "../input/index.ts";
import { type CellFinder, cellFinder } from "../lowering/index.ts";
import type { Reference } from "../plan/index.ts";
import { JOINT_STEP } from "./limits.ts";

/**
 * Counts several columns on one JavaScript thread, a step of samples at a time.
 * @param reference the steps to simulate; null: cells are counted in a plain loop
 */
export async function countJoint(
  job: JointJob,
  reference: Reference | null,
  inputs: JointInputs,
  { signal, onProgress }: RunOptions,
): Promise<JointPartial> {
  const start = performance.now();
  const turns = new Turns(signal);
  const counter = new JointCounter(job, reference, inputs);
  while (counter.next()) {
    onProgress?.(counter.done);
    await turns.next();
  }
  return counter.partial(start);
}

/**
 * Finds the cells of a step's samples column by column, and then counts them.
 *
 *   cells   one number per sample of the step; `plan.cells` for a sample that the mask leaves out
 *   table   one counter per cell, then one for masked samples
 */
class JointCounter {
  done = 0;
  readonly #job: JointJob;
  readonly #inputs: JointInputs;
  readonly #reference: Reference | null;
  readonly #columns: readonly RunReader[];
  readonly #mask: RunReader | null;
  readonly #cells: Uint32Array;
  readonly #finders: readonly CellFinder[];
  readonly #table: Uint32Array;
  readonly #totals: Float64Array;
  /** Samples in the table, whose counters have 32 bits. */
  #inTable = 0;

  constructor(job: JointJob, reference: Reference | null, inputs: JointInputs) {
    const { cells, chunkSamples } = job.plan;
    const step = Math.min(inputs.samples, reference === null ? JOINT_STEP : chunkSamples);
    this.#job = job;
    this.#inputs = inputs;
    this.#reference = reference;
    this.#columns = inputs.columns.map((input) => new RunReader(samplesOf(input)));
    this.#mask = inputs.mask && new RunReader(samplesOf(inputs.mask));
    this.#cells = new Uint32Array(step);
    this.#finders = job.columns.map(({ lowering }, k) => cellFinder(job.plan.columns[k]!, lowering));
    this.#table = new Uint32Array(cells + 1);
    this.#totals = new Float64Array(cells + 1);
  }

  /** Counts the next step. @returns whether there was one */
  next(): boolean {
    const { samples, where } = this.#inputs;
    const from = this.done;
    const count = Math.min(this.#cells.length, samples - from);
    if (count <= 0) return false;
    const indices = where?.subarray(from, from + count) ?? null;
    const cells = this.#cells.subarray(0, count);
    cells.fill(0);
    this.#find(cells, from, indices);
    if (this.#mask !== null) this.#leaveOut(cells, from, indices);
    this.#count(cells);
    this.done += count;
    return true;
  }

  partial(start: number): JointPartial {
    this.#flush();
    const { cells } = this.#job.plan;
    const masked = this.#totals[cells]!;
    const timings = { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start };
    return { cells: this.#totals.slice(0, cells), masked, timings };
  }

  /** Adds each column's part to the cells of samples. */
  #find(cells: Uint32Array, from: number, indices: Uint32Array | null): void {
    for (const [k, { channel, interleaved }] of this.#job.columns.entries()) {
      const find = this.#finders[k]!;
      if (indices !== null) {
        const array = this.#columns[k]!.gather(indices, channel);
        find(array, 0, 1, cells);
        continue;
      }
      let found = 0;
      this.#columns[k]!.each(from, cells.length, (array, at, samples) => {
        const run = array.subarray(at, at + samples);
        found += find(run, channel, interleaved, cells.subarray(found));
      });
    }
  }

  /** Moves the samples that the mask leaves out to the cell after the last. */
  #leaveOut(cells: Uint32Array, from: number, indices: Uint32Array | null): void {
    const none = this.#job.plan.cells;
    const mask = this.#mask!;
    if (this.#job.plan.mask === "bits") {
      const { bytes } = samplesOf(this.#inputs.mask!);
      for (let i = 0; i < cells.length; i++) {
        const pixel = indices === null ? from + i : indices[i]!;
        if (((bytes[Math.floor(pixel / 8)]! >> (pixel % 8)) & 1) === 0) cells[i] = none;
      }
      return;
    }
    if (indices !== null) {
      const bytes = mask.gather(indices, 0);
      for (let i = 0; i < cells.length; i++) if (bytes[i] === 0) cells[i] = none;
      return;
    }
    let to = 0;
    mask.each(from, cells.length, (bytes, at, samples) => {
      for (let i = at; i < at + samples; i++, to++) if (bytes[i] === 0) cells[to] = none;
    });
  }

  #count(cells: Uint32Array): void {
    const { plan } = this.#job;
    if (this.#inTable + cells.length > U32_MAX) this.#flush();
    this.#inTable += cells.length;
    const table = this.#table;
    if (this.#reference === null) {
      for (let i = 0; i < cells.length; i++) table[cells[i]!]!++;
      return;
    }
    const part = this.#reference(cells, plan, plan.cells);
    for (let cell = 0; cell < plan.cells; cell++) table[cell]! += part[cell]!;
    for (let i = 0; i < cells.length; i++) if (cells[i] === plan.cells) table[plan.cells]!++;
  }

  /** Moves the 32-bit counts to the totals. */
  #flush(): void {
    const [table, totals] = [this.#table, this.#totals];
    for (let cell = 0; cell < table.length; cell++) totals[cell]! += table[cell]!;
    table.fill(0);
    this.#inTable = 0;
  }
}
