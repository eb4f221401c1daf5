import { type Axis, edgesOf } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";

/**
 * The cells of several axes, row-major: the last axis is the fastest. A cell holds the samples with one code of each
 * axis. The codes of an axis are its bins, and then its flow:
 *
 *   0 … bins-1 | bins        bins+1     bins+2     extent = bins + 3
 *   the bins   | underflow   overflow   NaN
 *   the bins   | overflow                          extent = bins + 1: a category axis
 *   the bins                                       extent = bins
 */
export interface Grid {
  readonly axes: readonly Axis[];
  /** Type of the samples of each axis. It decides the precision to which regular edges are rounded. */
  readonly types: readonly SampleType[];
  /** Number of codes of each axis. An axis that every sample of its type meets may have no flow. */
  readonly extents: readonly number[];
}

/** A flow cell of an axis. The samples that a category axis does not list overflow. */
export type FlowName = "underflow" | "overflow" | "nan";

const FLOW: readonly FlowName[] = ["underflow", "overflow", "nan"];
const OVERFLOW_ONLY: readonly FlowName[] = ["overflow"];

/** Number of flow cells of an axis that samples can miss: a category axis knows only overflow. */
export function flowCells({ type }: Pick<Axis, "type">): number {
  return type === "category" ? OVERFLOW_ONLY.length : FLOW.length;
}

/** Returns the codes in an axis of `extent` cells. The code of overflow is the last one if it is the only flow cell. */
export function placesIn(codes: readonly number[], extent: number): number[] {
  return codes.map((code) => Math.min(code, extent - 1));
}

/** The flow cells of an axis, in the order of their codes. */
function flowNames(bins: number, extent: number): readonly FlowName[] {
  if (extent === bins) return [];
  return extent === bins + 1 ? OVERFLOW_ONLY : FLOW;
}

/**
 * Returns the code of a bin or of a flow cell. Null: the axis has no such flow cell, so it has no samples.
 * @throws ERR_INPUT for any other index.
 */
export function codeOf(bins: number, extent: number, index: number | FlowName, name: string): number | null {
  if (typeof index === "number" && Number.isInteger(index) && index >= 0 && index < bins) return index;
  if (!FLOW.includes(index as FlowName)) {
    throw expected("ERR_INPUT", name, `a bin from 0 to ${bins - 1}, "underflow", "overflow" or "nan"`, index);
  }
  const flow = flowNames(bins, extent).indexOf(index as FlowName);
  return flow < 0 ? null : bins + flow;
}

/**
 * Returns the cell with one index per axis. Null: an axis has no such flow cell, so no sample can be there.
 * @throws ERR_INPUT for another number of indices, or a bin that does not exist.
 */
export function cellOf({ axes, extents }: Grid, indices: readonly (number | FlowName)[]): number | null {
  if (indices.length !== axes.length) {
    throw expected("ERR_INPUT", "the number of indices", `${axes.length}, one per axis,`, indices.length);
  }
  const strides = stridesOf(extents);
  let cell: number | null = 0;
  for (const [k, index] of indices.entries()) {
    const code = codeOf(axes[k]!.bins, extents[k]!, index, `index ${k}`);
    cell = cell === null || code === null ? null : cell + code * strides[k]!;
  }
  return cell;
}

/** Returns the codes of an axis over more flow cells. */
export function widened(bins: number, from: number, to: number): Int32Array {
  const names = flowNames(bins, from);
  return same(from).map((code) => (code < bins ? code : codeOf(bins, to, names[code - bins]!, "")!));
}

/** Returns the product of the extents: the number of cells. */
export function productOf(extents: readonly number[]): number {
  return extents.reduce((product, extent) => product * extent, 1);
}

/** Cells between neighbours along each axis. */
export function stridesOf(extents: readonly number[]): number[] {
  const strides: number[] = [];
  let stride = 1;
  for (let k = extents.length - 1; k >= 0; k--) {
    strides[k] = stride;
    stride *= extents[k]!;
  }
  return strides;
}

/** The codes of one axis, and where they go. */
export interface Move {
  /** The new code of each old one, or NOWHERE. */
  readonly codes: Int32Array;
  /** Cells between neighbouring new codes; 0 sums the axis out. */
  readonly stride: number;
}

/** The samples of a code are left out. */
export const NOWHERE = -1;

/** The moves of an axis that stays as it is, for `moved`. */
export function same(extent: number): Int32Array {
  return Int32Array.from({ length: extent }, (_, code) => code);
}

/** The codes of an axis with its bins only. */
export function onlyBins(bins: number, extent: number): Int32Array {
  return same(extent).map((code) => (code < bins ? code : NOWHERE));
}

/**
 * Adds up cells into `length` new ones. Sums are compensated for rounding (Neumaier), which counts do not need.
 * @param moves one for each axis, in order
 */
export function moved(
  cells: Float64Array,
  extents: readonly number[],
  moves: readonly Move[],
  length: number,
): Float64Array {
  // Without axes there is nothing to move.
  if (extents.length === 0) return cells.slice();
  const to = new Float64Array(length);
  const lost = new RoundingErrors(length);
  const last = extents.length - 1;
  const offsets = moves.map(offsetsOf);
  const inner = offsets[last]!;
  eachRow(extents, (first, at) => {
    const base = baseOf(offsets, at);
    if (base === NOWHERE) return;
    for (let i = 0; i < inner.length; i++) {
      const value = cells[first + i]!;
      if (value === 0 || inner[i] === NOWHERE) continue;
      const cell = base + inner[i]!;
      const before = to[cell]!;
      const after = before + value;
      const error = Math.abs(before) >= Math.abs(value) ? before - after + value : value - after + before;
      if (error !== 0) lost.add(cell, error);
      to[cell] = after;
    }
  });
  return lost.correct(to);
}

/** The errors of rounding of each cell's sum. They take memory once there is one. */
class RoundingErrors {
  readonly #length: number;
  #errors: Float64Array | null = null;

  constructor(length: number) {
    this.#length = length;
  }

  add(cell: number, error: number): void {
    this.#errors ??= new Float64Array(this.#length);
    this.#errors[cell]! += error;
  }

  correct(sums: Float64Array): Float64Array {
    const errors = this.#errors;
    if (errors === null) return sums;
    return sums.map((sum, i) => (Number.isFinite(errors[i]!) ? sum + errors[i]! : sum));
  }
}

/** Visits the rows of the last axis, with the first cell of each and its codes along the other axes. */
function eachRow(extents: readonly number[], visit: (first: number, at: Uint32Array) => void): void {
  const last = extents.length - 1;
  const cells = productOf(extents);
  const at = new Uint32Array(last);
  for (let first = 0; first < cells; first += extents[last]!) {
    visit(first, at);
    for (let k = last - 1; k >= 0; k--) {
      at[k]!++;
      if (at[k]! < extents[k]!) break;
      at[k] = 0;
    }
  }
}

function offsetsOf({ codes, stride }: Move): Float64Array {
  return Float64Array.from(codes, (code) => (code === NOWHERE ? NOWHERE : code * stride));
}

/** The new place of a row of the last axis, or NOWHERE. */
function baseOf(offsets: readonly Float64Array[], at: Uint32Array): number {
  let base = 0;
  for (let k = 0; k < at.length; k++) {
    const offset = offsets[k]![at[k]!]!;
    if (offset === NOWHERE) return NOWHERE;
    base += offset;
  }
  return base;
}

/** Copies the cells that are bins of all axes. Without flow these are all cells, which are not copied. */
export function binsOf(cells: Float64Array, { axes, extents }: Grid): Float64Array {
  const shape = axes.map(({ bins }) => bins);
  if (shape.every((bins, k) => bins === extents[k])) return cells;
  const strides = stridesOf(extents);
  const out = new Float64Array(productOf(shape));
  const width = shape.at(-1)!;
  eachRow(shape, (to, at) => {
    const from = at.reduce((sum, bin, k) => sum + bin * strides[k]!, 0);
    out.set(cells.subarray(from, from + width), to);
  });
  return out;
}

/** The bins + 1 edges of each axis. @throws ERR_AXIS if edges are equal in the samples' precision. */
export function edgesOfAll({ axes, types }: Grid): Float64Array[] {
  return axes.map((axis, k) => edgesOf(axis, types[k]!));
}
