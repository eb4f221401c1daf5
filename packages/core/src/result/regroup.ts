import {
  type Axis,
  type AxisEnd,
  type CategoryAxis,
  edgesOf,
  hasClosedEnd,
  integer,
  kindOf,
  lastAtMost,
  OVERFLOW,
  regularSpaced,
  UNDERFLOW,
  variable,
} from "../axis/index.ts";
import { checkNames, clip, expected, FLOW_ROWS, PolybinError } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";

/** The bins between two edges. Defaults: the first and the last edge. */
export interface EdgeSpan {
  readonly lo?: number;
  readonly hi?: number;
}

/** A range of bins of an axis: [first, end), or those between two edges. */
export type BinSpan = readonly [first: number, end: number] | EdgeSpan;

/** A factor that divides the number of bins, or some of the axis' edges. */
export type Rebinning = number | ArrayLike<number>;

/** An axis whose bins were joined or cut away. */
export interface Regrouped {
  readonly axis: Axis;
  /** The new code of each old one: bins, underflow, overflow, NaN. */
  readonly codes: Uint32Array;
}

/** Largest distance from an edge, in bins, of a number that stands for it: 0.3 is an edge of regular(10, 0, 1). */
const NEAR = 1e-6;

/**
 * Keeps a range of bins. Samples of the others become underflow and overflow, and those of categories overflow.
 * @throws ERR_INPUT for an empty range, or one beyond the axis.
 * @throws ERR_AXIS for a value that is no edge.
 * @throws ERR_UNSUPPORTED for edges of a category axis, and for one of the bins of a boolean axis.
 */
export function sliced(axis: Axis, type: SampleType, span: BinSpan): Regrouped {
  const { bins } = axis;
  const [first, last] = (isBins(span) ? pairOf(span) : edgesIn(axis, type, span)) as [number, number];
  if (!isWhole(first) || first >= bins) {
    throw expected("ERR_INPUT", "the first bin", `a whole number below ${bins}`, first);
  }
  if (!isWhole(last) || last <= first || last > bins) {
    throw expected("ERR_INPUT", "the end of the bins", `a whole number from ${first + 1} to ${bins}`, last);
  }
  return cut(axis, type, range(first, last, 1));
}

/**
 * Joins neighbouring bins. Samples beyond the given edges become underflow and overflow.
 * @throws ERR_INPUT for a factor that does not divide the bins.
 * @throws ERR_AXIS for a value that is no edge.
 * @throws ERR_UNSUPPORTED for an axis whose bins cannot be joined.
 */
export function rebinned(axis: Axis, type: SampleType, by: Rebinning): Regrouped {
  const { bins } = axis;
  if (typeof by !== "number") {
    // `variable` checks the edges. Two of them may be near the same edge.
    const cuts = Array.from(variable(by).edges, edgeFinder(axis, type));
    return cut(axis, type, [...new Set(cuts)]);
  }
  if (!isWhole(by) || by < 1 || bins % by !== 0) {
    throw expected("ERR_INPUT", "the factor", `a whole number that divides ${bins} bins`, by);
  }
  return cut(axis, type, range(0, bins, by));
}

const isBins = (span: BinSpan): span is Exclude<BinSpan, EdgeSpan> => Array.isArray(span);

/** @throws ERR_INPUT unless there are two numbers. */
function pairOf(span: readonly number[]): readonly number[] {
  if (span.length === 2) return span;
  throw new PolybinError(
    "ERR_INPUT",
    `expected a range of two bins, [first, end], but received [${clip(span.join(", "))}]`,
  );
}

const isWhole = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

function range(first: number, last: number, step: number): number[] {
  return Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step);
}

function edgesIn(axis: Axis, type: SampleType, span: EdgeSpan): readonly number[] {
  checkNames(span, ["lo", "hi"], { of: "the range" });
  if (axis.type === "category" || axis.type === "boolean") throw without(axis);
  const { lo, hi } = span;
  const edgeIn = edgeFinder(axis, type);
  return [lo === undefined ? 0 : edgeIn(lo), hi === undefined ? axis.bins : edgeIn(hi)];
}

/** Returns a function that finds the index of an edge. It throws ERR_AXIS unless a value is an edge, but for rounding. */
function edgeFinder(axis: Axis, type: SampleType): (value: number) => number {
  const edges = edgesOf(axis, type);
  const known = [edges];
  // A caller knows the edges as they are before they are rounded for f32 samples: 0.7 of regular(800, 0, 2).
  if (axis.type === "regular") known.push(edgesOf(regularSpaced(axis.bins, axis.lo, axis.hi, "f64"), "f64"));
  return (value) => {
    for (const one of known) {
      const nearest = nearestOf(one, value);
      if (isAt(one, nearest, value)) return nearest;
    }
    throw new PolybinError(
      "ERR_AXIS",
      `expected an edge of the axis but received ${value}; the nearest is ${edges[nearestOf(edges, value)]}`,
    );
  };
}

function nearestOf(edges: Float64Array, value: number): number {
  const before = lastAtMost(edges, edges.length, value);
  return edges[before + 1]! - value < Math.abs(value - edges[before]!) ? before + 1 : before;
}

/** Whether a value is an edge, but for rounding. */
function isAt(edges: Float64Array, i: number, value: number): boolean {
  const left = Math.max(i, 1);
  const right = Math.min(i + 1, edges.length - 1);
  const width = Math.min(edges[left]! - edges[left - 1]!, edges[right]! - edges[right - 1]!);
  return edges[i] === value || (width < Infinity && Math.abs(edges[i]! - value) <= width * NEAR);
}

/** Makes bins between some of the edges. @param cuts ascending indices of edges */
function cut(axis: Axis, type: SampleType, cuts: readonly number[]): Regrouped {
  const { bins } = axis;
  const made = cuts.length - 1;
  // Categories that are not listed overflow.
  const before = made + (axis.type === "category" ? OVERFLOW : UNDERFLOW);
  const codes = new Uint32Array(bins + FLOW_ROWS);
  let bin = -1;
  for (let old = 0; old < bins; old++) {
    while (bin < made && cuts[bin + 1]! <= old) bin++;
    codes[old] = bin < 0 ? before : bin < made ? bin : made + OVERFLOW;
  }
  for (let flow = 0; flow < FLOW_ROWS; flow++) codes[bins + flow] = made + flow;
  return { axis: made === bins ? axis : axisOf(axis, type, cuts), codes };
}

/** Returns the axis whose edges are some of the old ones, bit for bit. @throws ERR_UNSUPPORTED if there is none. */
function axisOf(axis: Axis, type: SampleType, cuts: readonly number[]): Axis {
  const made = cuts.length - 1;
  const [first, last] = [cuts[0]!, cuts[made]!];
  const isRange = last - first === made;
  if (isRange && axis.type === "integer") return integer(axis.start + first, axis.start + last);
  if (isRange && axis.type === "category") return categoriesIn(axis, first, last);
  const all = edgesOf(axis, type);
  const edges = cuts.map((i) => all[i]!);
  const isTurn = axis.type === "circular" && last - first === axis.bins;
  if (isTurn) {
    const turn = rebuilt({ ...axis, bins: made });
    if (isSpacedAs(edges, edgesOf(turn, type))) return turn;
  }
  if (isTurn || axis.type === "category" || axis.type === "boolean") throw without(axis);
  const closed = hasClosedEnd(axis) && last === axis.bins;
  const ends = closed ? {} : { closed };
  const even = axis.type === "variable" ? null : evenlySpaced(edges, axis, type, ends);
  return even ?? variable(edges, ends);
}

/**
 * Returns a regular axis with these edges. Null: there is none, because a regular axis rounds its edges for f32 samples
 * and those of integer and circular axes stay as they are.
 */
function evenlySpaced(edges: readonly number[], axis: Axis, type: SampleType, ends: AxisEnd): Axis | null {
  const made = edges.length - 1;
  const spacing = axis.type === "regular" ? axis.spacing : "f64";
  try {
    const even = regularSpaced(made, edges[0]!, edges[made]!, spacing, ends);
    return isSpacedAs(edges, edgesOf(even, type)) ? even : null;
  } catch (error) {
    if (error instanceof PolybinError && error.code === "ERR_AXIS") return null;
    throw error;
  }
}

function isSpacedAs(edges: readonly number[], other: Float64Array): boolean {
  return other.every((edge, i) => edge === edges[i]);
}

function without({ type }: Axis): PolybinError {
  return expected("ERR_UNSUPPORTED", "axis", "an axis with such edges", type);
}

/** Returns an axis of neighbouring values of another one. Strings keep their codes. */
function categoriesIn(axis: CategoryAxis, first: number, end: number): Axis {
  const values = axis.values.slice(first, end) as CategoryAxis["values"];
  const firstCode = typeof values[0] === "string" ? (axis.firstCode ?? 0) + first : 0;
  return rebuilt({ ...axis, bins: end - first, values, firstCode });
}

/** Creates an axis anew with other properties, by its kind: a program without such axes need not load their code. */
function rebuilt<A extends Axis>(axis: A): Axis {
  return kindOf(axis)!.rebuilt(axis);
}
