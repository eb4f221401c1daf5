import type { CellsPart, RunOptions } from "../../../backend/index.ts";
import { type DeviceTimings, mergeJoint, type Provenance } from "../../../result/index.ts";
import type { JointShape, PlannedJoint } from "../../jobs/cells-jobs.ts";
import { checkGrouped, type Piece } from "../inputs/selection.ts";
import { type Call, type Column, inputsOf, maskKind, type PieceInputs, type Tally } from "./call.ts";

/** The counts of a call's cells. */
export interface CellCounts {
  /** Row-major over `extents`. With groups, the first axis is the number of the group, and it has no flow. */
  readonly cells: Float64Array;
  readonly extents: readonly number[];
  readonly masked: number;
}

const NO_TIMINGS: DeviceTimings = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** Counts the cells of columns with the device's kernels. */
export class CellsTally implements Tally {
  readonly #call: Call;
  readonly #columns: readonly Column[];
  #planned: PlannedJoint;
  #cells: Float64Array | null = null;
  #masked = 0;
  #timings: DeviceTimings = NO_TIMINGS;

  constructor(call: Call, columns: readonly Column[], isWhole: boolean) {
    this.#call = call;
    this.#columns = columns;
    this.#planned = this.#plan({ isWhole });
  }

  get provenance(): Provenance {
    return this.#planned.provenance;
  }
  get timings(): DeviceTimings {
    return this.#timings;
  }

  #plan(piece: Pick<Piece, "isWhole">): PlannedJoint {
    const { cellsJobs, planned, where, choice } = this.#call;
    const shape: JointShape = {
      columns: this.#columns,
      samples: planned,
      mask: maskKind(this.#call, piece),
      listed: where !== null,
    };
    return cellsJobs.of(shape, choice);
  }

  async add(piece: Piece, options: RunOptions): Promise<void> {
    const inputs = inputsOf(this.#call, this.#columns, piece);
    if (inputs.samples === 0) return;
    const prepared = await this.#planned.prepared();
    const part = await prepared.count(inputs, options);
    options.signal?.throwIfAborted();
    this.#add(part, inputs);
  }

  /** Counts a whole piece synchronously. @throws ERR_UNSUPPORTED if the device cannot */
  addNow(piece: Piece, timed: boolean): boolean {
    const inputs = inputsOf(this.#call, this.#columns, piece);
    if (inputs.samples === 0) return true;
    const prepared = this.#planned.prepared();
    if (prepared instanceof Promise || prepared.countSync === undefined) return false;
    this.#add(prepared.countSync(inputs, { timed }), inputs);
    return true;
  }

  #add(part: CellsPart, { samples }: PieceInputs): void {
    const { job, maps } = this.#planned;
    const cells = mergeJoint(part, job.plan, maps, samples);
    this.#timings = sumOf(this.#timings, part.timings);
    this.#masked += part.masked;
    if (this.#cells === null) this.#cells = cells;
    else for (let cell = 0; cell < cells.length; cell++) this.#cells[cell]! += cells[cell]!;
  }

  /** @throws ERR_INPUT for codes outside the groups */
  counts(): CellCounts {
    const extents = this.#planned.maps.map(({ extent }) => extent);
    const size = extents.reduce((product, extent) => product * extent, 1);
    const cells = this.#cells ?? new Float64Array(size);
    return inGroups({ cells, extents, masked: this.#masked }, this.#call.groups);
  }
}

/** Leaves out the cells of codes outside the groups. @throws ERR_INPUT unless they are empty */
export function inGroups(of: CellCounts, groups: number | null): CellCounts {
  const { cells, extents, masked } = of;
  if (groups === null || extents[0] === groups) return of;
  const size = (cells.length / extents[0]!) * groups;
  checkGrouped(cells.subarray(size), groups);
  return { cells: cells.slice(0, size), extents: [groups, ...extents.slice(1)], masked };
}

export function sumOf(a: DeviceTimings, b: DeviceTimings): DeviceTimings {
  return {
    readMs: a.readMs + b.readMs,
    uploadMs: a.uploadMs + b.uploadMs,
    kernelMs: a.kernelMs + b.kernelMs,
  };
}
