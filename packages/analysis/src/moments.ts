import {
  type Bounded,
  boundsOf,
  type Cells,
  type Counted,
  cellsOf,
  checkFlow,
  checkUnweighted,
  countsOf,
  type FlowOptions,
  middle,
  outsideOf,
  sumOf,
} from "./cells.ts";
import { checkedNumber, checkOptions, expected } from "./error.ts";

const NOTHING: Bounded = Object.freeze({ value: Number.NaN, low: Number.NaN, high: Number.NaN });

/** Options of `variance`. */
export interface VarianceOptions extends FlowOptions {
  /** The divisor is the number of samples minus this, as NumPy's `ddof`. Default: 0. */
  readonly ddof?: number;
}

/** Options of `entropy`. */
export interface EntropyOptions extends FlowOptions {
  /** The base of the logarithm: 2 for bits. Default: e, as in SciPy. */
  readonly base?: number;
}

/**
 * Returns the mean of the samples: `numpy.average(centers, weights=counts)`. No samples in these bins can have a mean
 * below `low` or above `high`. If samples lie in a cell without an end, such as the overflow of floats, `value` is NaN and
 * the bound on that side infinite. `flow: false` leaves them out. Without samples, all three numbers are NaN.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram.
 */
export function mean(histogram: Counted, options: FlowOptions = {}): Bounded {
  const cells = cellsOf(histogram, options);
  if (cells.total === 0) return NOTHING;
  const of = (values: Float64Array): number => meanOf(cells, values);
  return ordered(of(middles(cells)), of(cells.lows), of(cells.highs));
}

/**
 * Returns the variance of the samples, with the divisor `samples - ddof`. With weights, the divisor is their sum. `value` takes the centers of the bins for their
 * samples. No samples in these bins can have a variance below `low` or above `high`, and some real numbers have these. If
 * samples lie in a cell without an end, `value` is NaN and `high` infinite. If the divisor is not above 0, all three
 * numbers are NaN.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram. ERR_UNSUPPORTED for sums of weights with `ddof`.
 */
export function variance(histogram: Counted, options: VarianceOptions = {}): Bounded {
  checkOptions(options, ["flow", "ddof"]);
  const ddof = checkedNumber(options.ddof ?? 0, "ddof", 0);
  const cells = cellsOf(histogram, options.flow === undefined ? {} : { flow: options.flow });
  if (ddof !== 0) checkUnweighted(histogram, "histogram with ddof");
  const divisor = cells.total - ddof;
  if (!(divisor > 0)) return NOTHING;
  const centers = middles(cells);
  const value = squaresAround(cells, centers, meanOf(cells, centers));
  return ordered(value / divisor, leastSquares(cells) / divisor, mostSquares(cells) / divisor);
}

/**
 * Returns the bin with the most samples, the first one if several have as many. `value` is its center. Samples outside
 * the bins take no part. If all bins are empty, all three numbers are NaN.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram.
 */
export function mode(histogram: Counted): Bounded {
  const counts = countsOf(histogram);
  const { lows, highs } = boundsOf(histogram);
  const bin = firstLargest(counts);
  if (counts[bin] === 0) return NOTHING;
  const [low, high] = [lows[bin]!, highs[bin]!];
  return { value: middle(low, high), low, high };
}

/**
 * Returns the entropy of the bins: -Σ p log p over their shares of the samples, as `scipy.stats.entropy(counts)`. It is
 * exact for the bins, and a lower bound for the entropy of the samples' values. Underflow and overflow are one cell each,
 * unless `flow` is false. The result is NaN without samples.
 * @throws ERR_INPUT for an invalid histogram.
 */
export function entropy(histogram: Omit<Counted, "edges">, options: EntropyOptions = {}): number {
  checkOptions(options, ["flow", "base"]);
  const { flow = true, base = Math.E } = options;
  checkFlow({ flow });
  if (!(checkedNumber(base, "base", 0) > 0) || base === 1) {
    throw expected("ERR_INPUT", "base", "a base above 0 other than 1", base);
  }
  const counts = [...countsOf(histogram)];
  if (flow) counts.push(...outsideOf(histogram));
  return entropyOf(counts) / (base === Math.E ? 1 : Math.log(base));
}

/** -Σ p log p in nats. */
export function entropyOf(counts: Iterable<number>): number {
  const all = [...counts];
  const total = sumOf(all, (count) => count);
  if (total === 0) return Number.NaN;
  return sumOf(all, (count) => (count === 0 ? 0 : -(count / total) * Math.log(count / total)));
}

/** The index of the first maximum, as `numpy.argmax`. */
export function firstLargest(values: ArrayLike<number>): number {
  let first = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[first]!) first = i;
  return first;
}

function middles({ lows, highs }: Cells): Float64Array {
  return lows.map((low, i) => middle(low, highs[i]!));
}

function meanOf({ counts, total }: Cells, values: Float64Array): number {
  return sumOf(values, (value, i) => counts[i]! * value) / total;
}

function squaresAround({ counts }: Cells, values: Float64Array, center: number): number {
  return sumOf(values, (value, i) => counts[i]! * (value - center) ** 2);
}

/** Rounding must not put the value outside its bounds. */
function ordered(value: number, low: number, high: number): Bounded {
  if (Number.isNaN(value)) return { value, low, high };
  return { value, low: Math.min(low, value), high: Math.max(high, value) };
}

/**
 * The smallest sum of squares: the samples lie as near to one point as their cells allow. The sum over this point is
 * convex, and its derivative, `pull`, ascends. Between two neighbouring ends of cells it is linear.
 */
function leastSquares(cells: Cells): number {
  const { counts, lows, highs } = cells;
  const nearest = (point: number): Float64Array =>
    lows.map((low, i) => Math.min(Math.max(point, low), highs[i]!));
  const pull = (point: number): number => sumOf(nearest(point), (value, i) => counts[i]! * (point - value));
  const ends = [...lows, ...highs].filter(Number.isFinite).sort((a, b) => a - b);
  if (ends.length === 0) return 0;
  let [from, to] = [0, ends.length - 1];
  while (to - from > 1) {
    const half = (from + to) >> 1;
    if (pull(ends[half]!) < 0) from = half;
    else to = half;
  }
  const [left, right] = [pull(ends[from]!), pull(ends[to]!)];
  const share = right > left ? Math.min(Math.max(-left / (right - left), 0), 1) : 0;
  const point = ends[from]! + share * (ends[to]! - ends[from]!);
  return squaresAround(cells, nearest(point), point);
}

/**
 * The largest sum of squares: the samples of the lower cells lie at their lower ends, those of the upper cells at their
 * upper ends, and one cell is divided. A sample that moves from the upper to the lower end of its cell adds to the sum as
 * long as the mean is above the middle of the cell. The mean falls with each move, so one scan finds where to stop.
 */
function mostSquares(cells: Cells): number {
  const { counts, lows, highs, total } = cells;
  if ([...lows, ...highs].some((end) => !Number.isFinite(end))) return Infinity;
  const ends = Float64Array.from(highs);
  let sum = sumOf(highs, (high, i) => counts[i]! * high);
  for (let i = 0; i < counts.length; i++) {
    const [low, high, count] = [lows[i]!, highs[i]!, counts[i]!];
    const width = high - low;
    const after = sum - count * width;
    if (width > 0 && after / total < middle(low, high)) return dividedSquares(cells, ends, i, sum);
    ends[i] = low;
    sum = after;
  }
  return squaresAround(cells, ends, sum / total);
}

/** The largest sum with some samples of one cell at its lower end and the others at its upper end. */
function dividedSquares(
  { counts, lows, highs, total, weighted }: Cells,
  ends: Float64Array,
  cell: number,
  sum: number,
): number {
  const [low, high, count] = [lows[cell]!, highs[cell]!, counts[cell]!];
  const squares = (moved: number): number => {
    const center = (sum - moved * (high - low)) / total;
    const others = sumOf(ends, (end, i) => (i === cell ? 0 : counts[i]! * (end - center) ** 2));
    return others + moved * (low - center) ** 2 + (count - moved) * (high - center) ** 2;
  };
  const best = (sum - total * middle(low, high)) / (high - low);
  // Samples move one by one, but their weights are not known.
  const tries = (weighted ? [best] : [Math.floor(best), Math.ceil(best)]).map((moved) =>
    Math.min(Math.max(moved, 0), count),
  );
  return Math.max(...tries.map(squares));
}
