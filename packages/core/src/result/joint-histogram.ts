import type { Axis } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { JointPlan } from "../plan/index.ts";
import type { Provenance, Timings } from "./binned.ts";

/** The numbers of a joint histogram. */
export interface JointCells {
  /**
   * One count per cell, row-major over `extents`: the codes of each axis, its bins first, then its cells of flow.
   */
  readonly cells: Float64Array;
  /**
   * Number of codes per axis: its bins, and none, one or three cells of flow. Three are underflow, overflow and NaN.
   */
  readonly extents: readonly number[];
  /** Number of samples that a mask left out. */
  readonly masked: number;
}

/** Exact counts over several axes. */
export class JointHistogram {
  readonly axes: readonly Axis[];
  /** Sample type of each column. */
  readonly types: readonly SampleType[];
  /** Number of bins of each axis. */
  readonly shape: readonly number[];
  /** Number of samples that a mask left out. */
  readonly masked: number;
  readonly #content: JointCells;
  readonly #provenance: Provenance<JointPlan> | null;
  #counts: Float64Array | null = null;

  constructor(
    axes: readonly Axis[],
    types: readonly SampleType[],
    content: JointCells,
    provenance: Provenance<JointPlan> | null = null,
  ) {
    this.axes = Object.freeze([...axes]);
    this.types = Object.freeze([...types]);
    this.shape = Object.freeze(axes.map(({ bins }) => bins));
    this.masked = content.masked;
    this.#content = content;
    this.#provenance = provenance;
  }

  /** One exact integer per cell of the bins, row-major: the last axis varies fastest. */
  get counts(): Float64Array {
    this.#counts ??= binsOf(this.#content, this.shape);
    return this.#counts;
  }

  /** Every cell with those of flow, and the number of codes of each axis. */
  get content(): JointCells {
    return this.#content;
  }

  /** Number of samples that are outside the bins of at least one axis. */
  get flow(): number {
    const sum = (of: Float64Array) => of.reduce((total, count) => total + count, 0);
    return sum(this.#content.cells) - sum(this.counts);
  }

  /**
   * Returns the count of one cell. @param indices one bin per axis
   * @throws ERR_INPUT for a bin that an axis does not have.
   */
  at(...indices: readonly number[]): number {
    const { shape } = this;
    if (indices.length !== shape.length)
      throw expected("ERR_INPUT", "at", `${shape.length} bins`, indices.length);
    let cell = 0;
    for (const [k, index] of indices.entries()) {
      if (!Number.isInteger(index) || index < 0 || index >= shape[k]!) {
        throw expected("ERR_INPUT", `bin ${k}`, `a bin from 0 to ${shape[k]! - 1}`, index);
      }
      cell = cell * this.#content.extents[k]! + index;
    }
    return this.#content.cells[cell]!;
  }

  /** Id of the backend that counted. Null, as the next four, for a result that was merged or read from JSON. */
  get backend(): string | null {
    return this.#provenance?.backend ?? null;
  }
  get device(): string | null {
    return this.#provenance?.device ?? null;
  }
  get algorithm(): string | null {
    return this.#provenance?.algorithm ?? null;
  }
  get plan(): JointPlan | null {
    return this.#provenance?.plan ?? null;
  }
  /** Timings of the call. Also null if the call did not request them. */
  get timings(): Timings | null {
    return this.#provenance?.timings ?? null;
  }
}

/** Copies the cells of the bins, without those of flow. */
function binsOf({ cells, extents }: JointCells, shape: readonly number[]): Float64Array {
  if (extents.every((extent, k) => extent === shape[k])) return cells;
  const width = shape.at(-1)!;
  const rows = shape.slice(0, -1);
  const out = new Float64Array(shape.reduce((product, bins) => product * bins, 1));
  const index = rows.map(() => 0);
  for (let to = 0; to < out.length; to += width) {
    const row = index.reduce((at, bin, k) => at * extents[k]! + bin, 0);
    const from = row * extents.at(-1)!;
    out.set(cells.subarray(from, from + width), to);
    for (let k = rows.length - 1; k >= 0; k--) {
      index[k]!++;
      if (index[k]! < rows[k]!) break;
      index[k] = 0;
    }
  }
  return out;
}
