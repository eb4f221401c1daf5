import type { Axis } from "../../axis/index.ts";
import { checkObject, expected, FLOW_ROWS, PolybinError } from "../../base/index.ts";
import { describe, hasSameBins, type Planned, toldApart } from "../binned.ts";
import { type BinSpan, type Rebinning, type Regrouped, rebinned, sliced } from "../regroup.ts";
import {
  codeOf,
  type FlowName,
  flowCells,
  type Grid,
  type Move,
  moved,
  NOWHERE,
  onlyBins,
  productOf,
  same,
  stridesOf,
  widened,
} from "./grid.ts";
import { type JointOf, OverAxes } from "./over-axes.ts";

/** The part of an axis that `slice` keeps: a range of its bins, or one cell. With one cell, the result loses the axis. */
export type Slice = BinSpan | number | FlowName;

/** Slices by number of the axis. */
export type Slices = Readonly<Record<number, Slice>>;

/** A slice by ranges has as many axes as before. */
export type Sliced<S extends Slices, Self, One> = S[keyof S & number] extends BinSpan ? Self : Self | One;

/** Numbers of cells: one or more arrays over the same grid. Null: they are not known. */
export type Rows = readonly (Float64Array | null)[];

/**
 * The common part of results whose numbers can be added up.
 * @template Self the class of the results of its methods
 * @template One the class of results with one axis
 */
export abstract class Joint<Self, One, P extends Planned> extends OverAxes<P> {
  /** The numbers of the cells. */
  protected abstract get rows(): Rows;
  /** Returns a result of the same class over other axes. */
  protected abstract remade(of: JointOf<P>, rows: Rows): Self;
  /** Returns a result with one axis. */
  protected abstract single(of: JointOf<P>, rows: Rows): One;

  /**
   * Keeps the named axes, in the order given, and adds up the others with their flow. Every sample of this result is
   * in the projection, so a projection onto one axis equals the histogram of its column.
   * @throws ERR_INPUT for an axis that does not exist or is repeated, or for no axis.
   * @throws ERR_LIMIT if a count would not be exact.
   */
  project(axis: number): One;
  project(first: number, second: number, ...more: readonly number[]): Self;
  project(...axes: readonly number[]): Self | One {
    return this.#kept(axes, false);
  }

  /**
   * Keeps the named axes as `project` does, but adds up only the bins of the others. Samples that lie outside the bins
   * of an axis that is not named are left out.
   * @throws as `project` does.
   */
  marginal(axis: number): One;
  marginal(first: number, second: number, ...more: readonly number[]): Self;
  marginal(...axes: readonly number[]): Self | One {
    return this.#kept(axes, true);
  }

  /**
   * Cuts out a part. `slice({ 0: [2, 5] })` keeps bins 2, 3 and 4 of axis 0, and `slice({ 0: { lo: 0.5, hi: 1 } })` the
   * bins between two edges. The samples of its other bins become underflow and overflow. `slice({ 0: 3 })` keeps the
   * samples of one bin, and `slice({ 0: "nan" })` those of a flow cell. The result has the remaining axes.
   * @throws ERR_INPUT for axes or bins that do not exist, or if no axis remains.
   * @throws ERR_AXIS for a value that is no edge.
   * @throws ERR_UNSUPPORTED for edges of a category axis, and for a range of a boolean axis.
   */
  slice<const S extends Slices>(slices: S): Sliced<S, Self, One> {
    const chosen = this.#byAxis(slices, "slices");
    const kept: number[] = [];
    const changed = this.axes.map((axis, k): Changed => {
      const slice = chosen[k] as Slice | undefined;
      if (typeof slice === "number" || typeof slice === "string") return this.#only(k, slice);
      kept.push(k);
      return slice === undefined ? this.#asIs(k) : this.#regrouped(k, sliced(axis, this.types[k]!, slice));
    });
    if (kept.length === 0) {
      throw new PolybinError("ERR_INPUT", "expected a slice of at least one axis: use at for one cell");
    }
    return this.#changed(changed, kept) as Sliced<S, Self, One>;
  }

  /**
   * Joins neighbouring bins: by a factor for every axis, or `rebin({ 0: 2, 1: [0, 0.5, 1] })` by a factor or edges for
   * some. Samples beyond the given edges become underflow and overflow.
   * @throws ERR_INPUT for an axis that does not exist, or a factor that does not divide its bins.
   * @throws ERR_AXIS for a value that is no edge.
   * @throws ERR_UNSUPPORTED for a category axis.
   */
  rebin(by: number | Readonly<Record<number, Rebinning>>): Self {
    const all = typeof by === "number" ? this.axes.map(() => by) : this.#byAxis(by, "factors");
    const changed = this.axes.map((axis, k) => {
      const factor = all[k] as Rebinning | undefined;
      return factor === undefined
        ? this.#asIs(k)
        : this.#regrouped(k, rebinned(axis, this.types[k]!, factor));
    });
    return this.#changed(changed, [...this.axes.keys()]) as Self;
  }

  /**
   * Returns two results' numbers over the same extents. An axis may have flow cells in one of them only.
   * @throws ERR_AXIS unless both have the same axes.
   */
  protected aligned(other: Joint<Self, One, P>): { grid: Grid; rows: Rows; others: Rows } {
    const fits =
      this.axes.length === other.axes.length && this.axes.every((_, k) => sameAxis(this, other, k));
    if (!fits) {
      throw new PolybinError(
        "ERR_AXIS",
        `expected the same axes for both histograms but received ${described(this, other).join(" and ")}`,
      );
    }
    const extents = this.extents.map((extent, k) => Math.max(extent, other.extents[k]!));
    const { axes, types } = this;
    return { grid: { axes, types, extents }, rows: this.#over(extents), others: other.#over(extents) };
  }

  #kept(axes: readonly number[], within: boolean): Self | One {
    const isAxis = (axis: number) => Number.isInteger(axis) && axis >= 0 && axis < this.axes.length;
    const wrong = axes.find((axis, i) => !isAxis(axis) || axes.indexOf(axis) !== i);
    if (wrong !== undefined || axes.length === 0) {
      throw expected(
        "ERR_INPUT",
        "axes",
        `each axis at most once, from 0 to ${this.axes.length - 1},`,
        wrong,
      );
    }
    const changed = this.axes.map((axis, k): Changed => {
      const as = this.#asIs(k);
      if (axes.includes(k)) return as;
      return within ? { ...as, codes: onlyBins(axis.bins, this.extents[k]!) } : as;
    });
    return this.#changed(changed, axes);
  }

  #asIs(k: number): Changed {
    const extent = this.extents[k]!;
    return { axis: this.axes[k]!, extent, codes: same(extent) };
  }

  #only(k: number, index: number | FlowName): Changed {
    const extent = this.extents[k]!;
    const code = codeOf(this.shape[k]!, extent, index, `slices[${k}]`);
    return { axis: this.axes[k]!, extent, codes: same(extent).map((of) => (of === code ? of : NOWHERE)) };
  }

  /** Bins that were cut away make flow cells. */
  #regrouped(k: number, { axis, codes }: Regrouped): Changed {
    const [bins, extent] = [this.shape[k]!, this.extents[k]!];
    const all = widened(bins, extent, bins + FLOW_ROWS).map((code) => codes[code]!);
    const hasFlow = extent > bins || all.some((code) => code >= axis.bins);
    if (!hasFlow) return { axis, extent: axis.bins, codes: all };
    const flow = extent > bins ? extent - bins : flowCells(axis);
    const last = axis.bins + flow - 1;
    return { axis, extent: last + 1, codes: all.map((code) => Math.min(code, last)) };
  }

  /** @param kept the axes of the result, in its order. The others are added up. */
  #changed(changed: readonly Changed[], kept: readonly number[]): Self | One {
    const extents = kept.map((k) => changed[k]!.extent);
    const strides = stridesOf(extents);
    const moves: Move[] = changed.map(({ codes }) => ({ codes, stride: 0 }));
    for (const [at, k] of kept.entries()) moves[k] = { codes: changed[k]!.codes, stride: strides[at]! };
    const rows = this.rows.map((row) => row && moved(row, this.extents, moves, productOf(extents)));
    const of = {
      axes: kept.map((k) => changed[k]!.axis),
      types: kept.map((k) => this.types[k]!),
      extents,
      masked: this.masked,
      provenance: null,
      carried: { histogram: this.carried.histogram, axes: kept.map((k) => this.carried.axes[k]!) },
    };
    return kept.length === 1 ? this.single(of, rows) : this.remade(of, rows);
  }

  /** The rows over at least as many cells. */
  #over(extents: readonly number[]): Rows {
    if (extents.every((extent, k) => extent === this.extents[k])) return this.rows;
    const strides = stridesOf(extents);
    const moves = this.extents.map((extent, k) => ({
      codes: widened(this.shape[k]!, extent, extents[k]!),
      stride: strides[k]!,
    }));
    return this.rows.map((row) => row && moved(row, this.extents, moves, productOf(extents)));
  }

  #byAxis(given: object, name: string): readonly unknown[] {
    checkObject(given, { of: name });
    const all: unknown[] = [];
    for (const [key, value] of Object.entries(given)) {
      const axis = Number(key);
      if (!Number.isInteger(axis) || axis < 0 || axis >= this.axes.length) {
        throw expected("ERR_INPUT", name, `axes from 0 to ${this.axes.length - 1}`, key);
      }
      all[axis] = value;
    }
    return all;
  }
}

/** An axis of a derived result, and where its old codes are. */
interface Changed {
  readonly axis: Axis;
  readonly extent: number;
  readonly codes: Int32Array;
}

function sameAxis(a: Grid, b: Grid, k: number): boolean {
  return hasSameBins({ axis: a.axes[k]!, type: a.types[k]! }, { axis: b.axes[k]!, type: b.types[k]! });
}

/** Describes the axes of two results, so that those which differ have different texts. */
function described(a: Grid, b: Grid): string[] {
  const axesOf = ({ axes, types }: Grid) => axes.map((axis, k) => ({ axis, type: types[k]! }));
  const [first, second] = [axesOf(a), axesOf(b)];
  const apart = first.length === second.length ? first.map((axis, k) => toldApart(axis, second[k]!)) : null;
  return [first, second].map((axes, i) =>
    axes.map((axis, k) => apart?.[k]?.[i] ?? describe(axis)).join(" x "),
  );
}
