import type { Axis } from "../axis/index.ts";
import { checkObject, expected, FLOW_ROWS, PolybinError } from "../base/index.ts";
import type { Cells } from "./cells.ts";
import type { Combine } from "./combine.ts";
import {
  codeOf,
  type FlowName,
  flowCells,
  type Move,
  moved,
  NOWHERE,
  onlyBins,
  productOf,
  same,
  stridesOf,
  widened,
} from "./grid.ts";
import { type BinSpan, type Rebinning, type Regrouped, rebinned, sliced } from "./regroup.ts";
import { checkSameAxes } from "./same-axes.ts";
import type { Rows } from "./storage/storage.ts";

/** The part of an axis that a slice keeps: a range of its bins, or one cell. With one cell, the result loses the axis. */
export type Slice = BinSpan | number | FlowName;

/** Slices by number of the axis. */
export type Slices = Readonly<Record<number, Slice>>;

/** A slice by ranges has as many axes as before. */
export type Sliced<S extends Slices, Self, One> = S[keyof S & number] extends BinSpan ? Self : Self | One;

/** Returns the factors of all axes, if there is one for all. */
export function factorsOf(
  of: Pick<Cells, "axes">,
  by: number | Readonly<Record<number, Rebinning>>,
): Readonly<Record<number, Rebinning>> {
  return typeof by === "number" ? Object.fromEntries(of.axes.map((_, k) => [k, by])) : by;
}

/**
 * Keeps some axes, in the order given, and adds up the others.
 * @param within whether only the bins of the others are added up, without their flow
 * @throws ERR_INPUT for an axis that does not exist or is repeated, or for no axis.
 * @throws ERR_LIMIT if a number would not be exact.
 */
export function keep(of: Cells, axes: readonly number[], within: boolean): Cells {
  const isAxis = (axis: number) => Number.isInteger(axis) && axis >= 0 && axis < of.axes.length;
  const wrong = axes.find((axis, i) => !isAxis(axis) || axes.indexOf(axis) !== i);
  if (wrong !== undefined || axes.length === 0) {
    throw expected("ERR_INPUT", "axes", `each axis at most once, from 0 to ${of.axes.length - 1},`, wrong);
  }
  const changed = of.axes.map((axis, k): Changed => {
    const as = asIs(of, k);
    return within && !axes.includes(k) ? { ...as, codes: onlyBins(axis.bins, of.extents[k]!) } : as;
  });
  return change(of, changed, axes);
}

/**
 * Cuts out a part of some axes.
 * @throws ERR_INPUT for axes or bins that do not exist, or if no axis remains.
 * @throws ERR_AXIS for a value that is no edge.
 * @throws ERR_UNSUPPORTED for edges of a category axis, and for a range of a boolean axis.
 * @throws ERR_LIMIT if a number would not be exact.
 */
export function slice(of: Cells, slices: Readonly<Record<number, Slice>>): Cells {
  const chosen = byAxis(of, slices, "slices");
  const kept: number[] = [];
  const changed = of.axes.map((axis, k): Changed => {
    const its = chosen[k] as Slice | undefined;
    if (typeof its === "number" || typeof its === "string") return only(of, k, its);
    kept.push(k);
    return its === undefined ? asIs(of, k) : regroup(of, k, sliced(axis, of.types[k]!, its));
  });
  if (kept.length === 0) {
    throw new PolybinError("ERR_INPUT", "expected a slice of at least one axis: use at for one cell");
  }
  return change(of, changed, kept);
}

/**
 * Joins neighbouring bins of some axes. Samples beyond the given edges become underflow and overflow.
 * @throws ERR_INPUT for an axis that does not exist, or a factor that does not divide its bins.
 * @throws ERR_AXIS for a value that is no edge.
 * @throws ERR_UNSUPPORTED for an axis whose bins cannot be joined.
 * @throws ERR_LIMIT if a number would not be exact.
 */
export function rebin(of: Cells, by: Readonly<Record<number, Rebinning>>): Cells {
  const factors = byAxis(of, by, "factors");
  const changed = of.axes.map((axis, k) => {
    const factor = factors[k] as Rebinning | undefined;
    return factor === undefined ? asIs(of, k) : regroup(of, k, rebinned(axis, of.types[k]!, factor));
  });
  return change(of, changed, [...of.axes.keys()]);
}

/**
 * Combines the numbers of two results, cell by cell, with the metadata of the first. Rows that only one of them has are
 * null in the result.
 * @throws ERR_AXIS unless both have the same axes.
 * @throws ERR_LIMIT or ERR_INPUT if a number cannot be combined.
 */
export function combine(of: Cells, other: Cells, by: "sum" | "difference"): Cells {
  checkSameAxes(of, other);
  // An axis may have flow cells in one of them only.
  const extents = of.extents.map((extent, k) => Math.max(extent, other.extents[k]!));
  const [mine, others] = [over(of, extents), over(other, extents)];
  const rows = of.storage[by].map((numbers, i) => {
    const [a, b] = [mine[i], others[i]];
    return a && b ? combined(a, b, numbers) : null;
  });
  const masked = of.storage[by][0]!(of.masked, other.masked, "masked");
  const { axes, types, storage, carried } = of;
  return { axes, types, extents, storage, rows, masked, carried };
}

function combined(a: Float64Array, b: Float64Array, by: Combine): Float64Array {
  const out = new Float64Array(a.length);
  for (let i = 0; i < out.length; i++) out[i] = by(a[i]!, b[i]!);
  return out;
}

/** An axis of a derived result, and where its old codes are. */
interface Changed {
  readonly axis: Axis;
  readonly extent: number;
  readonly codes: Int32Array;
}

function asIs(of: Cells, k: number): Changed {
  const extent = of.extents[k]!;
  return { axis: of.axes[k]!, extent, codes: same(extent) };
}

function only(of: Cells, k: number, index: number | FlowName): Changed {
  const [axis, extent] = [of.axes[k]!, of.extents[k]!];
  const code = codeOf(axis.bins, extent, index, `slices[${k}]`);
  return { axis, extent, codes: same(extent).map((one) => (one === code ? one : NOWHERE)) };
}

/** Bins that were cut away make flow cells. */
function regroup(of: Cells, k: number, { axis, codes }: Regrouped): Changed {
  const [{ bins }, extent] = [of.axes[k]!, of.extents[k]!];
  const all = widened(bins, extent, bins + FLOW_ROWS).map((code) => codes[code]!);
  const hasFlow = extent > bins || all.some((code) => code >= axis.bins);
  if (!hasFlow) return { axis, extent: axis.bins, codes: all };
  const flow = extent > bins ? extent - bins : flowCells(axis);
  const last = axis.bins + flow - 1;
  return { axis, extent: last + 1, codes: all.map((code) => Math.min(code, last)) };
}

/** @param kept the axes of the result, in its order. The others are added up. */
function change(of: Cells, changed: readonly Changed[], kept: readonly number[]): Cells {
  const extents = kept.map((k) => changed[k]!.extent);
  const strides = stridesOf(extents);
  const moves: Move[] = changed.map(({ codes }) => ({ codes, stride: 0 }));
  for (const [at, k] of kept.entries()) moves[k] = { codes: changed[k]!.codes, stride: strides[at]! };
  const rows = of.rows.map((row) => row && moved(row, of.extents, moves, productOf(extents)));
  of.storage.check(rows);
  const { storage, carried, masked } = of;
  return {
    storage,
    axes: kept.map((k) => changed[k]!.axis),
    types: kept.map((k) => of.types[k]!),
    extents,
    rows,
    masked,
    carried: carried && { histogram: carried.histogram, axes: kept.map((k) => carried.axes[k]!) },
  };
}

/** The rows over at least as many cells. */
function over(of: Cells, extents: readonly number[]): Rows {
  if (extents.every((extent, k) => extent === of.extents[k])) return of.rows;
  const strides = stridesOf(extents);
  const moves = of.extents.map((extent, k) => ({
    codes: widened(of.axes[k]!.bins, extent, extents[k]!),
    stride: strides[k]!,
  }));
  return of.rows.map((row) => row && moved(row, of.extents, moves, productOf(extents)));
}

function byAxis(of: Cells, given: object, name: string): readonly unknown[] {
  checkObject(given, { of: name });
  const all: unknown[] = [];
  for (const [key, value] of Object.entries(given)) {
    const axis = Number(key);
    if (!Number.isInteger(axis) || axis < 0 || axis >= of.axes.length) {
      throw expected("ERR_INPUT", name, `axes from 0 to ${of.axes.length - 1}`, key);
    }
    all[axis] = value;
  }
  return all;
}
