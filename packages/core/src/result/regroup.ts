import { type Axis, edgesOf, integer, regularSpaced, variable } from "../axis/index.ts";
import { checkNames, expected, FLOW_ROWS, PolybinError } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { NAN, OVERFLOW, UNDERFLOW } from "../lowering/index.ts";
import type { Combine, Flow } from "./binned.ts";

/** The bins between two edges. Defaults: the first and the last edge. */
export interface EdgeSpan {
  readonly lo?: number;
  readonly hi?: number;
}

/** A range of bins of an axis: [first, end), or those between two edges. */
export type BinSpan = readonly [first: number, end?: number | undefined] | EdgeSpan;

/** A factor that divides the number of bins, or some of the axis' edges. */
export type Rebinning = number | ArrayLike<number>;

/** An axis whose bins were joined or cut away. */
export interface Regrouped {
  readonly axis: Axis;
  /** The new code of each old one: bins, underflow, overflow, NaN. */
  readonly codes: Int32Array;
}

/** Largest distance from an edge, in bins, of a number that stands for it: 0.3 is an edge of regular(10, 0, 1). */
const NEAR = 1e-6;

/**
 * Keeps a range of bins. Samples of the others become underflow and overflow.
 * @throws ERR_INPUT for an empty range, or one beyond the axis; ERR_AXIS for a value that is no edge.
 */
export function sliced(axis: Axis, type: SampleType, span: BinSpan): Regrouped {
  const { bins } = axis;
  const [first, end] = isBins(span) ? span : edgesIn(axis, type, span);
  const last = end ?? bins;
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
 * @throws ERR_INPUT for a factor that does not divide the bins; ERR_AXIS for a value that is no edge.
 */
export function rebinned(axis: Axis, type: SampleType, by: Rebinning): Regrouped {
  const { bins } = axis;
  if (typeof by !== "number") {
    const edges = edgesOf(axis, type);
    return cut(
      axis,
      type,
      Array.from(variable(by).edges, (edge) => edgeIn(edges, edge)),
    );
  }
  if (!isWhole(by) || by < 1 || bins % by !== 0) {
    throw expected("ERR_INPUT", "the factor", `a whole number that divides ${bins} bins`, by);
  }
  return cut(axis, type, range(0, bins, by));
}

const isBins = (span: BinSpan): span is Exclude<BinSpan, EdgeSpan> => Array.isArray(span);
const isWhole = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

function range(first: number, last: number, step: number): number[] {
  return Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step);
}

function edgesIn(axis: Axis, type: SampleType, span: EdgeSpan): number[] {
  checkNames(span, ["lo", "hi"], { of: "the range" });
  const { lo, hi } = span;
  const edges = edgesOf(axis, type);
  return [lo === undefined ? 0 : edgeIn(edges, lo), hi === undefined ? axis.bins : edgeIn(edges, hi)];
}

/**
 * Adds up the numbers of an axis by their new codes.
 * @param flow the numbers outside the bins
 */
export function regrouped(
  { axis, codes }: Regrouped,
  bins: Float64Array,
  { underflow, overflow, nan }: Flow,
  add: Combine,
): Flow & { readonly bins: Float64Array } {
  const to = new Float64Array(axis.bins + FLOW_ROWS);
  for (const [code, number] of [...bins, underflow, overflow, nan].entries()) {
    to[codes[code]!] = add(to[codes[code]!]!, number);
  }
  const flow = to.subarray(axis.bins);
  return {
    bins: to.slice(0, axis.bins),
    underflow: flow[UNDERFLOW]!,
    overflow: flow[OVERFLOW]!,
    nan: flow[NAN]!,
  };
}

/** Returns the index of an edge. @throws ERR_AXIS unless a value is an edge, but for rounding. */
function edgeIn(edges: Float64Array, value: number): number {
  let nearest = 0;
  for (let i = 1; i < edges.length; i++) {
    if (Math.abs(edges[i]! - value) < Math.abs(edges[nearest]! - value)) nearest = i;
  }
  const left = Math.max(nearest, 1);
  const right = Math.min(nearest + 1, edges.length - 1);
  const width = Math.min(edges[left]! - edges[left - 1]!, edges[right]! - edges[right - 1]!);
  if (Math.abs(edges[nearest]! - value) <= width * NEAR) return nearest;
  throw new PolybinError(
    "ERR_AXIS",
    `expected an edge of the axis but received ${value}; the nearest is ${edges[nearest]}`,
  );
}

/** Makes bins between some of the edges. @param cuts ascending indices of edges */
function cut(axis: Axis, type: SampleType, cuts: readonly number[]): Regrouped {
  const { bins } = axis;
  const made = cuts.length - 1;
  const codes = new Int32Array(bins + FLOW_ROWS);
  let bin = -1;
  for (let old = 0; old < bins; old++) {
    while (bin < made && cuts[bin + 1]! <= old) bin++;
    codes[old] = bin < 0 ? made + UNDERFLOW : bin < made ? bin : made + OVERFLOW;
  }
  for (let flow = 0; flow < FLOW_ROWS; flow++) codes[bins + flow] = made + flow;
  return { axis: axisOf(axis, type, cuts), codes };
}

/** Returns the axis whose edges are some of the old ones, bit for bit. */
function axisOf(axis: Axis, type: SampleType, cuts: readonly number[]): Axis {
  const made = cuts.length - 1;
  if (made === axis.bins) return axis;
  const [first, last] = [cuts[0]!, cuts[made]!];
  if (axis.type === "integer" && last - first === made) {
    return integer(axis.start + first, axis.start + last);
  }
  const all = edgesOf(axis, type);
  const edges = cuts.map((i) => all[i]!);
  if (axis.type === "regular") {
    const even = regularSpaced(made, edges[0]!, edges[made]!, axis.spacing);
    const found = edgesOf(even, type);
    if (edges.every((edge, i) => edge === found[i])) return even;
  }
  return variable(edges);
}
