import { type IntegerAxis, limits, own } from "../../../axis/index.ts";
import type { RunOptions } from "../../../backend/index.ts";
import { sourceOf } from "../../../input/index.ts";
import type { DeviceTimings, Provenance } from "../../../result/index.ts";
import { find, foundOn } from "../../channels/count.ts";
import type { Job } from "../../jobs/prepare.ts";
import type { Piece } from "../inputs/selection.ts";
import type { Call, Column, Tally } from "./call.ts";
import { type CellCounts, inGroups, sumOf } from "./cells-tally.ts";
import { type CellStep, FoundCells } from "./found-cells.ts";

/**
 * Counts cells that this thread finds, where the device has no kernel that finds them. The device counts them as one
 * column of integers, unless there are more than an axis has bins.
 */
export class FoundTally implements Tally {
  readonly #call: Call;
  readonly #found: FoundCells;
  readonly #cells: Float64Array;
  /** How the device counts cells; null: this thread does. */
  readonly #job: Job | null;
  #masked = 0;
  #timings: DeviceTimings = { readMs: 0, uploadMs: 0, kernelMs: 0 };

  constructor(call: Call, columns: readonly Column[]) {
    this.#call = call;
    this.#found = new FoundCells(call, columns);
    const cells = this.#found.size * (call.segments?.count ?? 1);
    this.#cells = new Float64Array(cells);
    this.#job = hasNoTable(cells) ? null : jobOf(call, cells);
  }

  get provenance(): Provenance {
    const { backend, device } = this.#call.opened;
    return (
      this.#job?.provenance ?? { backend, device: device.name, algorithm: null, plan: null, timings: null }
    );
  }
  get timings(): DeviceTimings {
    return this.#timings;
  }

  async add(piece: Piece, options: RunOptions): Promise<void> {
    for await (const step of this.#found.of(piece, options)) {
      this.#masked += step.masked;
      if (this.#job === null || step.cells.length === 0) this.#addHere(step);
      else {
        const found = await find(this.#call.opened, this.#job, sourceOf(step.cells), {
          signal: options.signal,
          timed: options.timed,
        });
        this.#add(found.counts[0]!.counts);
        this.#timings = sumOf(this.#timings, found.timings);
      }
    }
  }

  /** Counts a whole piece synchronously. @returns false if the device cannot */
  addNow(piece: Piece, timed: boolean): boolean {
    const prepared = this.#job?.prepared();
    if (prepared !== undefined && prepared.countSync === undefined) return false;
    for (const step of this.#found.now(piece)) {
      this.#masked += step.masked;
      if (prepared === undefined || step.cells.length === 0) this.#addHere(step);
      else {
        const { input, pixels } = sourceOf(step.cells);
        const part = prepared.countSync!(input, { timed });
        this.#add(foundOn(this.#call.opened, this.#job!, part, pixels).counts[0]!.counts);
        this.#timings = sumOf(this.#timings, part.timings);
      }
    }
    return true;
  }

  #add(counts: Float64Array): void {
    const cells = this.#cells;
    for (let cell = 0; cell < cells.length; cell++) cells[cell]! += counts[cell]!;
  }

  #addHere({ cells: found }: CellStep): void {
    const cells = this.#cells;
    for (let i = 0; i < found.length; i++) cells[found[i]!]!++;
  }

  /** @throws ERR_INPUT for codes outside the groups */
  counts(): CellCounts {
    const { segments, groups } = this.#call;
    const { extents } = this.#found;
    const all = segments === null ? extents : [segments.count, ...extents];
    return inGroups({ cells: this.#cells, extents: all, masked: this.#masked }, groups);
  }
}

/** Whether this thread counts cells that it found, because no device is made for more bins than an axis may have. */
export const hasNoTable = (cells: number): boolean => cells === 0 || cells > limits.MAX_BINS;

function jobOf({ jobs, choice, planned }: Call, cells: number): Job {
  return jobs.of({ type: "u32", pixels: planned, interleaved: 1, channels: [0] }, cellsAxis(cells), choice);
}

/** Returns the axis of cells, which are integers from 0 on. */
export function cellsAxis(cells: number): IntegerAxis {
  return own<IntegerAxis>({ type: "integer", bins: cells, start: 0, stop: cells });
}
