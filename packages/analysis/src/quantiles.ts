import {
  type Bounded,
  type Cells,
  type Counted,
  cellsOf,
  countsOf,
  type FlowOptions,
  outsideOf,
} from "./cells.ts";
import { checkedNumber, expected } from "./error.ts";

/**
 * Returns the smallest value that at least this fraction of the samples does not exceed; for 0, the smallest value. This
 * is NumPy's method "inverted_cdf", with `weights` for sums of weights, and the command's `--percentiles`. The bounds are exact: they are those of the bin that
 * holds the value. `value` is linear inside this bin, as in SciPy's `rv_histogram.ppf`. It is NaN in a bin without an end.
 *
 * `q` means the decimal that it prints as. The quantile 0.07 of 100 samples is therefore the 7th, although the double
 * is above 0.07 and `Math.ceil(0.07 * 100)` is 8.
 *
 * Samples below and above the bins take part, unless `flow` is false. Without samples, all three numbers are NaN.
 * @param q a fraction from 0 to 1.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram or fraction.
 */
export function quantile(histogram: Counted, q: number, options: FlowOptions = {}): Bounded {
  return quantiles(histogram, [q], options)[0]!;
}

/** Returns several quantiles, in the order of `qs`. @see quantile @throws ERR_INPUT, ERR_AXIS as `quantile`. */
export function quantiles(
  histogram: Counted,
  qs: ArrayLike<number>,
  options: FlowOptions = {},
): readonly Bounded[] {
  if (typeof qs !== "object" || qs === null) throw expected("ERR_INPUT", "qs", "an array of fractions", qs);
  const fractions = Array.from(qs, (q, i) => checkedNumber(q, `qs[${i}]`, 0, 1));
  const cells = cellsOf(histogram, options);
  return fractions.map((q) => quantileOf(cells, q));
}

/** Returns the quantile 0.5. @see quantile @throws ERR_INPUT, ERR_AXIS for an invalid histogram. */
export function median(histogram: Counted, options: FlowOptions = {}): Bounded {
  return quantile(histogram, 0.5, options);
}

function quantileOf({ counts, lows, highs, total, weighted }: Cells, q: number): Bounded {
  if (total === 0) return { value: Number.NaN, low: Number.NaN, high: Number.NaN };
  const rank = weighted ? q * total : rankOf(q, total);
  let [cell, below] = [0, 0];
  while (cell < counts.length - 1 && below + counts[cell]! < rank) below += counts[cell++]!;
  const [low, high] = [lows[cell]!, highs[cell]!];
  if (low === high) return { value: low, low, high };
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { value: Number.NaN, low, high };
  const share = Math.min(Math.max((q * total - below) / counts[cell]!, 0), 1);
  return { value: Math.min(Math.max(low * (1 - share) + high * share, low), high), low, high };
}

/** The rank, from 1, of a quantile: the ceiling of q * total, with the decimal digits that `q` prints as. */
function rankOf(q: number, total: number): number {
  if (!Number.isSafeInteger(total)) return Math.max(Math.ceil(q * total), Math.min(1, total));
  const [digits, exponent = "0"] = String(q).split("e");
  const [integer, fraction = ""] = digits!.split(".");
  const whole = 10n ** BigInt(fraction.length - Number(exponent));
  const parts = BigInt(integer! + fraction) * BigInt(total);
  return Math.max(1, Number((parts + whole - 1n) / whole));
}

/**
 * Returns the fraction of samples in each bin and those before it, as scikit-image's `cumulative_distribution` does. The
 * underflow is part of each number, and the overflow part of the divisor, unless `flow` is false. Without samples, all
 * numbers are NaN.
 * @throws ERR_INPUT for an invalid histogram.
 */
export function cdf(histogram: Counted, options: FlowOptions = {}): Float64Array {
  const counts = countsOf(histogram);
  const { total } = cellsOf(histogram, options);
  let sum = (options.flow ?? true) ? outsideOf(histogram)[0] : 0;
  return counts.map((count) => {
    sum += count;
    return sum / total;
  });
}

/**
 * Returns the fraction of samples that are at most `x`. The bounds are exact. `value` is linear inside the bin that holds
 * `x`, as in SciPy's `rv_histogram.cdf`. Without samples, all three numbers are NaN.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram or if `x` is NaN.
 */
export function cdfAt(histogram: Counted, x: number, options: FlowOptions = {}): Bounded {
  if (typeof x !== "number" || Number.isNaN(x)) throw expected("ERR_INPUT", "x", "a number", x);
  const { counts, lows, highs, total } = cellsOf(histogram, options);
  let [low, inside, high] = [0, 0, 0];
  for (const [i, count] of counts.entries()) {
    const [from, to] = [lows[i]!, highs[i]!];
    if (x >= to) low += count;
    if (x >= from) high += count;
    const share = x >= to ? 1 : x < from ? 0 : (x - from) / (to - from);
    // Between infinite ends nothing says where the samples are.
    inside +=
      count *
      (Number.isNaN(share) || (to - from === Infinity && share < 1 && x >= from) ? Number.NaN : share);
  }
  return { value: inside / total, low: low / total, high: high / total };
}
