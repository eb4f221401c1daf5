import type { RunOptions } from "../../../backend/index.ts";
import { FLOW_ROWS } from "../../../base/index.ts";
import { FEATURE_BINS_MIN } from "../../../input/index.ts";
import { OVERFLOW } from "../../../lowering/index.ts";
import type { DeviceTimings, Provenance } from "../../../result/index.ts";
import { checkFinite } from "../../../weights/index.ts";
import { checkGrouped, type Piece } from "../inputs/selection.ts";
import { type AddsUp, adderOf, addsUpOver, type Step } from "../sums/add-up.ts";
import type { Added, Adder, PieceWeights } from "../sums/adder.ts";
import type { Call, Column, Tally } from "./call.ts";
import { type CellStep, FoundCells } from "./found-cells.ts";

/** The sums of one column of weights in a call's cells: row-major over `extents`, flow included. */
export interface CellSums {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly sumsOfSquares: Float64Array | null;
  readonly extents: readonly number[];
  readonly masked: number;
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;
}

const NO_ROWS = new Uint8Array(0);
const NO_WEIGHTS = new Float64Array(0);

type PieceOfWeights = Float32Array | Float64Array;

export const FLOW_NAMES: readonly string[] = ["underflow", "overflow", "nan"];

/**
 * Adds up the weights of cells that this thread finds, once for all columns of weights. The device adds up as many cells
 * as a table has bins, and this thread more. The flow of a single axis is not among these cells; this thread adds it up.
 */
export class SumsTally implements Tally {
  readonly #call: Call;
  readonly #found: FoundCells;
  /** Cells that are added up together. */
  readonly #bins: number;
  /** Codes of the flow of a single axis. */
  readonly #flow: number;
  readonly #addsUp: AddsUp;
  /** One for each column of weights. */
  readonly #adders: readonly Adder[];
  #masked = 0;

  constructor(call: Call, columns: readonly Column[]) {
    this.#call = call;
    this.#found = new FoundCells(call, columns);
    const { size } = this.#found;
    const isOne = columns.length === 1 && call.segments === null;
    this.#bins = isOne ? columns[0]!.axis.bins : size * (call.segments?.count ?? 1);
    this.#flow = isOne ? size - this.#bins : 0;
    const { opened, weighting, total } = call;
    this.#addsUp = addsUpOver(opened, this.#bins, call.where?.length ?? total, weighting);
    const bins = Math.max(FEATURE_BINS_MIN, this.#bins);
    this.#adders = call.weights!.map(({ most }) => adderOf(bins, most, weighting));
  }

  get provenance(): Provenance {
    const { backend, device } = this.#call.opened;
    const { plan } = this.#addsUp;
    return { backend, device: device.name, algorithm: plan?.algorithm ?? null, plan, timings: null };
  }
  get timings(): DeviceTimings {
    return this.#addsUp.timings;
  }

  async add(piece: Piece, options: RunOptions): Promise<void> {
    const weights = this.#call.weights!.map((one) => one.of(piece));
    for await (const step of this.#found.of(piece, options)) {
      this.#masked += step.masked;
      await this.#addsUp.add(this.#adders, this.#stepOf(step, weights), options.signal);
    }
  }

  /** Separates the samples in bins from the others. */
  #stepOf(step: CellStep, weights: readonly PieceOfWeights[]): Step {
    const { cells } = step;
    const bins = this.#bins;
    let begin = this.#flow === 0 ? cells.length : 0;
    while (begin < cells.length && cells[begin]! < bins) begin++;
    const columns = weights.map((one) => this.#columnOf(step, one, begin));
    let binned = begin;
    for (let i = begin; i < cells.length; i++) if (cells[i]! < bins) cells[binned++] = cells[i]!;
    return { bins: cells.subarray(0, binned), columns };
  }

  /** Separates one column of weights. @param begin the first sample that lies in no bin */
  #columnOf({ cells, at, first }: CellStep, weights: PieceOfWeights, begin: number): PieceWeights {
    const all = new Float64Array(cells.length);
    if (at === null) all.set(weights.subarray(first, first + cells.length));
    else for (let i = 0; i < all.length; i++) all[i] = weights[at[i]!]!;
    if (begin === cells.length) return { inside: all, rows: NO_ROWS, outside: NO_WEIGHTS };
    const rows = new Uint8Array(cells.length - begin);
    const outside = new Float64Array(cells.length - begin);
    // An axis with a single cell of flow has only overflow.
    const flow = this.#bins - (this.#flow === 1 ? OVERFLOW : 0);
    let binned = begin;
    let others = 0;
    for (let i = begin; i < cells.length; i++) {
      if (cells[i]! < this.#bins) all[binned++] = all[i]!;
      else {
        rows[others] = cells[i]! - flow;
        outside[others++] = all[i]!;
      }
    }
    return {
      inside: all.subarray(0, binned),
      rows: rows.subarray(0, others),
      outside: outside.subarray(0, others),
    };
  }

  /** Adds the sums of another tally of the same kind. */
  merge(other: SumsTally): void {
    this.#masked += other.#masked;
    for (const [k, adder] of this.#adders.entries()) adder.merge(other.#adders[k] as never);
  }

  /**
   * Returns the sums of each column of weights.
   * @throws ERR_LIMIT if a sum is larger than a double; ERR_INPUT for codes outside the groups
   */
  sums(): readonly CellSums[] {
    return this.#adders.map((adder, k) => this.#sumsOf(adder.added(), this.#call.weights![k]!.name));
  }

  #sumsOf(added: Added, name: string): CellSums {
    const { segments, groups } = this.#call;
    const { extents } = this.#found;
    const tableBins = Math.max(FEATURE_BINS_MIN, this.#bins);
    for (const sums of [added.sums, added.squares]) checkFinite(sums, tableBins, FLOW_NAMES, name);
    const all = segments === null ? extents : [segments.count, ...extents];
    const isCut = groups !== null && extents[0] !== groups;
    const size = isCut ? (this.#bins / extents[0]!) * groups : this.#bins;
    if (isCut) checkGrouped(added.counts.subarray(size, this.#bins), groups);
    const rowOf = (of: Float64Array) => this.#row(of, size, tableBins);
    return {
      counts: rowOf(added.counts),
      sums: rowOf(added.sums),
      sumsOfSquares: added.squares && rowOf(added.squares),
      extents: isCut ? [groups, ...extents.slice(1)] : all,
      masked: this.#masked,
      ...limbsOf(added),
    };
  }

  /** Returns the cells, and the flow of a single axis after its bins. */
  #row(of: Float64Array, size: number, tableBins: number): Float64Array {
    if (this.#flow === 0) return of.slice(0, size);
    const row = new Float64Array(size + this.#flow);
    row.set(of.subarray(0, size));
    const flow = of.subarray(tableBins, tableBins + FLOW_ROWS);
    row.set(this.#flow === 1 ? flow.subarray(OVERFLOW, OVERFLOW + 1) : flow, size);
    return row;
  }
}

function limbsOf({ limbs, limbsOfSquares }: Added): Pick<Added, "limbs" | "limbsOfSquares"> {
  return { limbs, limbsOfSquares };
}
