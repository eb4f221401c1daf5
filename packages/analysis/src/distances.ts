import {
  binsOf,
  type Counted,
  cellsOf,
  countsOf,
  type FlowOptions,
  middle,
  outsideOf,
  sumOf,
} from "./cells.ts";
import { AnalysisError, checkedNumber, checkOptions, expected } from "./error.ts";

/** Options of `chiSquare`. */
export interface ChiSquareOptions extends FlowOptions {
  /** Whether to return OpenCV's HISTCMP_CHISQR_ALT, 2 Σ (a - b)² / (a + b). Default: false. */
  readonly symmetric?: boolean;
}

/** Options of `jensenShannon`. */
export interface JensenShannonOptions extends FlowOptions {
  /** The base of the logarithm. Default: e, as in SciPy. */
  readonly base?: number;
}

interface Pair {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/**
 * Returns the chi-square distance Σ (x - y)² / x over the bins in which the first count x is above 0. This is OpenCV's
 * HISTCMP_CHISQR. It is not symmetric. If one of the histograms has samples outside its bins, underflow and overflow are
 * one more cell each, unless `flow` is false. This holds for all distances here.
 * @param a the first histogram.
 * @param b the second one, over the same edges. Their numbers of samples are not adjusted.
 * @throws ERR_INPUT for an invalid histogram. ERR_AXIS for different edges.
 */
export function chiSquare(a: Counted, b: Counted, options: ChiSquareOptions = {}): number {
  checkOptions(options, ["flow", "symmetric"]);
  const { symmetric = false, flow = true } = options;
  const pair = pairOf(a, b, flow);
  return sumOf(pair.a, (x, i) => {
    const y = pair.b[i]!;
    const divisor = symmetric ? (x + y) / 2 : x;
    return divisor > 0 ? (x - y) ** 2 / divisor : 0;
  });
}

/**
 * Returns the intersection Σ min(a, b): OpenCV's HISTCMP_INTERSECT. For equal histograms it is their number of samples.
 * @param a the first histogram.
 * @param b the second one, over the same edges. Their numbers of samples are not adjusted.
 * @throws ERR_INPUT for an invalid histogram. ERR_AXIS for different edges.
 */
export function intersection(a: Counted, b: Counted, options: FlowOptions = {}): number {
  const pair = pairOf(a, b, flowOf(options));
  return sumOf(pair.a, (x, i) => Math.min(x, pair.b[i]!));
}

/**
 * Returns the correlation of the counts, from -1 to 1: OpenCV's HISTCMP_CORREL. If all counts of a histogram are equal, the
 * result is 1, as in OpenCV.
 * @param a the first histogram.
 * @param b the second one, over the same edges.
 * @throws ERR_INPUT for an invalid histogram. ERR_AXIS for different edges.
 */
export function correlation(a: Counted, b: Counted, options: FlowOptions = {}): number {
  const pair = pairOf(a, b, flowOf(options));
  const [meanA, meanB] = [totalOf(pair.a) / pair.a.length, totalOf(pair.b) / pair.b.length];
  const shared = sumOf(pair.a, (x, i) => (x - meanA) * (pair.b[i]! - meanB));
  const squares = sumOf(pair.a, (x) => (x - meanA) ** 2) * sumOf(pair.b, (y) => (y - meanB) ** 2);
  return squares > 0 ? shared / Math.sqrt(squares) : 1;
}

/**
 * Returns the Bhattacharyya distance sqrt(1 - Σ sqrt(a b) / sqrt(Σ a Σ b)), from 0 to 1: OpenCV's HISTCMP_BHATTACHARYYA,
 * which is also the Hellinger distance. It is 1 if one of the histograms is empty.
 * @param a the first histogram.
 * @param b the second one, over the same edges.
 * @throws ERR_INPUT for an invalid histogram. ERR_AXIS for different edges.
 */
export function bhattacharyya(a: Counted, b: Counted, options: FlowOptions = {}): number {
  const pair = pairOf(a, b, flowOf(options));
  const totals = totalOf(pair.a) * totalOf(pair.b);
  const shared = sumOf(pair.a, (x, i) => Math.sqrt(x * pair.b[i]!));
  return Math.sqrt(Math.max(1 - (totals > 0 ? shared / Math.sqrt(totals) : 0), 0));
}

/**
 * Returns the Jensen-Shannon distance between the shares of the bins: `scipy.spatial.distance.jensenshannon(a, b, base)`,
 * the root of the divergence. With base 2 it is at most 1. The result is NaN if one of the histograms is empty.
 * @param a the first histogram.
 * @param b the second one, over the same edges.
 * @throws ERR_INPUT for an invalid histogram or base. ERR_AXIS for different edges.
 */
export function jensenShannon(a: Counted, b: Counted, options: JensenShannonOptions = {}): number {
  checkOptions(options, ["flow", "base"]);
  const { flow = true, base = Math.E } = options;
  if (!(checkedNumber(base, "base", 0) > 1)) throw expected("ERR_INPUT", "base", "a base above 1", base);
  const pair = pairOf(a, b, flow);
  const [totalA, totalB] = [totalOf(pair.a), totalOf(pair.b)];
  const divergence = sumOf(pair.a, (x, i) => {
    const [p, q] = [x / totalA, pair.b[i]! / totalB];
    return relative(p, (p + q) / 2) + relative(q, (p + q) / 2);
  });
  return Math.sqrt(Math.max(divergence, 0) / 2 / (base === Math.E ? 1 : Math.log(base)));
}

/** p log(p / q); 0 for p = 0. */
function relative(p: number, q: number): number {
  return p === 0 ? 0 : p * Math.log(p / q);
}

/**
 * Returns the earth mover's distance in one dimension, in the unit of the samples, between the shares of two histograms
 * whose samples lie at the centers of their bins: `scipy.stats.wasserstein_distance(centersA, centersB, a, b)`. The
 * histograms may have different bins. The result is NaN if one of them is empty.
 * @throws ERR_INPUT for an invalid histogram, or if samples lie in a cell without an end, such as the overflow of floats:
 * pass `flow: false`. ERR_AXIS for categories.
 */
export function earthMovers(a: Counted, b: Counted, options: FlowOptions = {}): number {
  const [first, second] = [pointsOf(a, options, "a"), pointsOf(b, options, "b")];
  const points = [
    ...first.points.map(([value, share]) => ({ value, share })),
    ...second.points.map(([value, share]) => ({ value, share: -share })),
  ].sort((p, q) => p.value - q.value);
  let carried = 0;
  const distance = sumOf(points, ({ value, share }, i) => {
    carried += share;
    const next = points[i + 1];
    return next === undefined ? 0 : Math.abs(carried) * (next.value - value);
  });
  return first.total > 0 && second.total > 0 ? distance : Number.NaN;
}

/**
 * Returns the total variation distance between the shares of the bins, from 0 to 1: half the sum of their differences, which
 * is the largest difference between the shares of any set of bins. The result is NaN if one of the histograms is empty.
 * @param a the first histogram.
 * @param b the second one, over the same edges.
 * @throws ERR_INPUT for an invalid histogram. ERR_AXIS for different edges.
 */
export function totalVariation(a: Counted, b: Counted, options: FlowOptions = {}): number {
  const pair = pairOf(a, b, flowOf(options));
  const [totalA, totalB] = [totalOf(pair.a), totalOf(pair.b)];
  return sumOf(pair.a, (x, i) => Math.abs(x / totalA - pair.b[i]! / totalB)) / 2;
}

function pointsOf(
  histogram: Counted,
  options: FlowOptions,
  name: string,
): { readonly points: readonly (readonly [number, number])[]; readonly total: number } {
  const { counts, lows, highs, total } = cellsOf(histogram, options, name);
  const points = [...counts].map((count, i) => [middle(lows[i]!, highs[i]!), count / total] as const);
  if (points.every(([value]) => !Number.isNaN(value))) return { points, total };
  throw new AnalysisError(
    "ERR_INPUT",
    `expected samples between two ends for ${name} but some lie outside the bins; pass flow: false to leave them out`,
  );
}

function flowOf(options: FlowOptions): boolean {
  checkOptions(options, ["flow"]);
  return options.flow ?? true;
}

function totalOf(counts: Float64Array): number {
  return sumOf(counts, (count) => count);
}

/** The counts of two histograms over the same edges, with one more cell on each side if `flow` is set. */
function pairOf(a: Counted, b: Counted, flow: unknown): Pair {
  if (typeof flow !== "boolean") throw expected("ERR_INPUT", "flow", "true or false", flow);
  const [inA, inB] = [countsOf(a, "a"), countsOf(b, "b")];
  checkSameEdges(a, b);
  const [outsideA, outsideB] = [outsideOf(a, "a"), outsideOf(b, "b")];
  const isOutside = [...outsideA, ...outsideB].some((count) => count !== 0);
  if (!flow || !isOutside) return { a: inA, b: inB };
  return { a: Float64Array.from([...outsideA, ...inA]), b: Float64Array.from([...outsideB, ...inB]) };
}

/** @throws ERR_AXIS unless both have the same edges, and for categories the same values. */
function checkSameEdges(a: Counted, b: Counted): void {
  const bins = binsOf(a);
  const isSame = (i: number): boolean =>
    a.edges?.[i] === b.edges?.[i] && a.axis?.values?.[i] === b.axis?.values?.[i];
  if (binsOf(b) === bins && Array.from({ length: bins + 1 }, (_, i) => i).every(isSame)) return;
  throw new AnalysisError("ERR_AXIS", "expected the same edges for both histograms but they differ");
}
