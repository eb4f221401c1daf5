import { type Axis, boolean, category, circular, integer, regular, variable } from "@polybin/core";
import type { Case, Context, Topic } from "../case.ts";
import joint from "../vectors/joint.json" with { type: "json" };
import { type ColumnSource, columnOf, numberOf } from "../vectors/joint-input.ts";

/** An axis as vectors/joint.py writes it. */
interface AxisSource {
  readonly type: string;
  readonly bins?: number;
  readonly lo?: number;
  readonly hi?: number;
  readonly start?: number;
  readonly stop?: number;
  readonly edges?: readonly (number | string)[];
  readonly values?: readonly number[];
  readonly closed?: boolean;
}

/** The cells of several columns by another library. */
interface Vector {
  readonly name: string;
  readonly by: string;
  /** Number of samples of each column. */
  readonly n: number;
  readonly columns: readonly ColumnSource[];
  readonly axes: readonly AxisSource[];
  /** NumPy's edges of each axis. */
  readonly edges?: readonly (readonly (number | string)[])[];
  /** Boost's number of indices along each axis, flow included. */
  readonly extents?: readonly number[];
  /** Row-major. NumPy: bins, underflow, overflow and NaN of each axis. Boost: underflow, bins, overflow. */
  readonly cells: readonly number[];
}

/** The sums of weights of several columns by another library. */
interface WeightedVector extends Omit<Vector, "cells"> {
  readonly weights: ColumnSource;
  /** Boost's counts of its cells. */
  readonly cells?: readonly number[];
  /** NumPy: of the bins. Boost: of all cells. */
  readonly sums: readonly number[];
  readonly squares: readonly number[];
  /** Boost's profile of all cells; null if it is not defined. */
  readonly means?: readonly (number | null)[];
  readonly variances?: readonly (number | null)[];
}

/** An index of `JointHistogram.at`. */
type Index = number | "underflow" | "overflow" | "nan";

const FLOW: readonly Index[] = ["underflow", "overflow", "nan"];

/** Cases of numpy.histogramdd's and Boost.Histogram's cells, which a joint histogram must reproduce, flow included. */
export const jointVectors: Topic = ({ weighted }) => [
  ...(joint.vectors as readonly Vector[]).map(
    (vector): Case => ({
      topic,
      name: `${vector.by}: ${vector.name}`,
      run: (context) => counts(vector, context),
    }),
  ),
  ...(weighted.length === 0 ? [] : (joint.weighted as readonly WeightedVector[])).map(
    (vector): Case => ({
      topic,
      name: `${vector.by}: ${vector.name}`,
      run: (context) => weights(vector, context),
    }),
  ),
];

const topic = `joint numpy ${joint.numpy} and Boost.Histogram ${joint.boost}`;

async function counts(vector: Vector, { engine, check }: Context): Promise<void> {
  const columns = vector.columns.map((column) => columnOf(column, vector.n));
  const isBoost = vector.by === "boost";
  const axes = vector.axes.map((axis) => axisOf(axis, !isBoost));
  const found = await engine.joint(columns, { axes });
  const lists = vector.axes.map((axis, k) => (isBoost ? boostCells(axis, axes[k]!) : numpyCells(axes[k]!)));
  const shape = vector.extents ?? axes.map(({ bins }) => bins + FLOW.length);
  check.sameNumbers(
    "cells along each axis",
    lists.map(({ length }) => length),
    shape,
  );
  check.sameNumbers(
    "cells",
    sums((...at) => found.at(...at), lists),
    vector.cells,
  );
  check.same("all samples", found.sum({ flow: true }), vector.n);
  for (const [k, column] of columns.entries()) {
    const one = await engine.histogram(column, { axis: axes[k]! });
    check.histogram(`projection onto axis ${k}`, found.project(k), one);
    if (vector.edges)
      check.sameNumbers(`edges of axis ${k}`, found.edges[k]!, vector.edges[k]!.map(numberOf));
  }
}

/** Compares sums of eighths, which are exact in any order, and Boost's profile, which is rounded. */
async function weights(vector: WeightedVector, { engine, check }: Context): Promise<void> {
  const columns = vector.columns.map((column) => columnOf(column, vector.n));
  const isBoost = vector.by === "boost";
  const axes = vector.axes.map((axis) => axisOf(axis, !isBoost));
  const own = columnOf(vector.weights, vector.n) as Float64Array;
  const found = await engine.joint(columns, { axes, weights: own, squares: true });
  if (!isBoost) {
    check.sameNumbers("sums", found.sums, vector.sums);
    check.sameNumbers("squares", found.sumsOfSquares!, vector.squares);
    return;
  }
  const lists = vector.axes.map((axis, k) => boostCells(axis, axes[k]!));
  check.sameNumbers(
    "counts",
    sums((...at) => found.at(...at).count!, lists),
    vector.cells!,
  );
  check.sameNumbers(
    "sums",
    sums((...at) => found.at(...at).sum, lists),
    vector.sums,
  );
  check.sameNumbers(
    "squares",
    sums((...at) => found.at(...at).sumOfSquares!, lists),
    vector.squares,
  );
  const { means, variances } = found.profile();
  const isBin = sums((...at) => (at.every((index) => typeof index === "number") ? 1 : 0), lists);
  for (const [name, received, wanted] of [
    ["means", means, vector.means!],
    ["variances", variances, vector.variances!],
  ] as const) {
    const inBins = wanted.filter((_, cell) => isBin[cell] === 1);
    const isClose = (value: number, i: number): boolean => {
      const other = inBins[i]!;
      return other === null ? Number.isNaN(value) : Math.abs(value - other) <= 1e-12 * (1 + Math.abs(other));
    };
    check.ok(`${name} of the profile`, received.length === inBins.length && received.every(isClose));
  }
}

/** Adds up the cells of each combination of the axes' lists, the last axis fastest. */
function sums(
  at: (...indices: readonly Index[]) => number,
  lists: readonly (readonly (readonly Index[])[])[],
): number[] {
  const all: number[] = [];
  const walk = (k: number, chosen: readonly (readonly Index[])[]): void => {
    if (k < lists.length) for (const list of lists[k]!) walk(k + 1, [...chosen, list]);
    else all.push(total(chosen, (indices) => at(...indices)));
  };
  walk(0, []);
  return all;
}

/** Adds up what `count` returns for every choice of one index from each list. */
function total(lists: readonly (readonly Index[])[], count: (at: readonly Index[]) => number): number {
  const [first, ...others] = lists;
  if (first === undefined) return count([]);
  return first.reduce<number>((sum, index) => sum + total(others, (at) => count([index, ...at])), 0);
}

/** The cells of an axis in NumPy's vectors, which tell all kinds of flow apart. */
function numpyCells({ bins }: Axis): Index[][] {
  return [...Array.from({ length: bins }, (_, bin) => [bin]), ...FLOW.map((flow) => [flow])];
}

/**
 * The cells of an axis of Boost.Histogram. NaN is in overflow there. The overflow of a circle has its infinities, too,
 * and that of categories all unknown values.
 */
function boostCells({ type }: AxisSource, { bins }: Axis): Index[][] {
  const inside: Index[][] = Array.from({ length: bins }, (_, bin) => [bin]);
  if (type === "boolean") return inside;
  if (type === "category" || type === "circular") return [...inside, [...FLOW]];
  return [["underflow"], ...inside, ["overflow", "nan"]];
}

/** @param closedByDefault whether the last bin includes its right edge */
function axisOf(of: AxisSource, closedByDefault: boolean): Axis {
  const closed = of.closed ?? closedByDefault;
  switch (of.type) {
    case "regular":
      return regular(of.bins!, of.lo!, of.hi!, { closed });
    case "variable":
      return variable(of.edges!.map(numberOf), { closed });
    case "integer":
      return integer(of.start!, of.stop!);
    case "category":
      return category(of.values!);
    case "circular":
      return circular(of.bins!, of.lo!, of.hi!);
    default:
      return boolean();
  }
}
