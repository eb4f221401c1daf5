import { type Bounded, type Counted, cellsOf, type FlowOptions, isIntegerType } from "./cells.ts";

/** The non-empty cells of a histogram as intervals low <= x < end, and the shares below each of them. */
interface Steps {
  readonly lows: Float64Array;
  readonly ends: Float64Array;
  /** One more than there are cells. */
  readonly below: Float64Array;
}

/** The share of the samples of a histogram below a number. */
interface Share {
  readonly low: number;
  readonly high: number;
  /** The share if the samples of a cell are spread evenly over it. */
  readonly even: number;
}

/**
 * Returns the Kolmogorov-Smirnov distance between the samples of two histograms, from 0 to 1: the largest difference between
 * the shares of samples below any number, `scipy.stats.ks_2samp(a, b).statistic`. The histograms may have different bins.
 * Over common bins `value` is the largest difference at an edge, which is also `low`. If every bin holds one integer, all
 * three numbers are equal. They are NaN if one of the histograms is empty.
 * @throws ERR_INPUT for an invalid histogram. ERR_AXIS for categories.
 */
export function kolmogorovSmirnov(a: Counted, b: Counted, options: FlowOptions = {}): Bounded {
  const [first, second] = [stepsOf(a, options, "a"), stepsOf(b, options, "b")];
  if (first.lows.length === 0 || second.lows.length === 0) return { value: NaN, low: NaN, high: NaN };
  const isWhole = isIntegerType(a.type) && isIntegerType(b.type);
  const points = [first, second].flatMap(({ lows, ends }) => [...lows, ...ends]);
  const places = [...new Set(points)].sort((x, y) => x - y);
  let [value, low, high] = [0, 0, 0];
  let [x, y]: [Share, Share] = [NOTHING, NOTHING];
  let before = -Infinity;
  for (const place of places) {
    const [nextX, nextY] = [shareBelow(first, place), shareBelow(second, place)];
    value = Math.max(value, Math.abs(nextX.even - nextY.even));
    low = Math.max(low, nextX.low - nextY.high, nextY.low - nextX.high);
    // No integer lies between neighbours.
    const [fromX, fromY] = isWhole && place - before <= 1 ? [nextX, nextY] : [x, y];
    high = Math.max(high, nextX.high - fromY.low, nextY.high - fromX.low);
    [x, y, before] = [nextX, nextY, place];
  }
  return { value: Math.min(Math.max(value, low), high), low, high };
}

const NOTHING: Share = { low: 0, high: 0, even: 0 };

function stepsOf(histogram: Counted, options: FlowOptions, name: string): Steps {
  const { counts, lows, highs, total } = cellsOf(histogram, options, name);
  const isInteger = isIntegerType(histogram.type);
  const { edges, axis } = histogram;
  const last = edges[edges.length - 1]!;
  const isClosed = !isInteger && axis?.type !== "integer" && axis?.closed !== false;
  const after = (edge: number): number => (isClosed && edge === last ? above(edge) : edge);
  const below = new Float64Array(counts.length + 1);
  for (const [i, count] of counts.entries()) below[i + 1] = below[i]! + count;
  return {
    lows: isInteger ? lows : lows.map(after),
    ends: isInteger ? highs.map((high) => high + 1) : highs.map(after),
    below: below.map((count) => count / total),
  };
}

/** The share of the samples below `place`, with its bounds. */
function shareBelow({ lows, ends, below }: Steps, place: number): Share {
  const [whole, begun] = [countUntil(ends, (end) => end <= place), countUntil(lows, (low) => low < place)];
  const [low, high] = [below[whole]!, below[begun]!];
  if (whole === begun) return { low, high, even: low };
  const [from, to] = [lows[whole]!, ends[whole]!];
  const part = Number.isFinite(from) && Number.isFinite(to) ? (place - from) / (to - from) : 0.5;
  return { low, high, even: low + (high - low) * part };
}

/** How many of ascending numbers, from the first one on, a test holds for. */
function countUntil(numbers: Float64Array, holds: (number: number) => boolean): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(numbers[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
}

const view = new DataView(new ArrayBuffer(8));

/** The next double above a finite one. */
function above(value: number): number {
  view.setFloat64(0, value + 0);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, value < 0 ? bits - 1n : bits + 1n);
  return view.getFloat64(0);
}
