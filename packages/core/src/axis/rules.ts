import type { SampleArray } from "../input/index.ts";
import { bigOf, doubleOf, logarithmOf2, power } from "./exact.ts";

/** A rule that chooses the number of bins from the data, under NumPy's name. */
export type BinRule = "auto" | "doane" | "fd" | "rice" | "scott" | "sqrt" | "sturges";

/**
 * Returns the number of bins that `numpy.histogram_bin_edges` picks. All steps are those of NumPy in the precision of
 * the samples, and logarithms and roots are rounded to the nearest f64, so every machine picks the same number.
 * Source: numpy/lib/_histograms_impl.py.
 * @param values the finite samples within the range. This function sorts them.
 * @param span the width of the range, in the precision of the samples if they decide it
 * @param of whether the caller gave the range, and whether the samples are integers
 */
export function binsByRule(
  rule: BinRule,
  values: SampleArray,
  span: number,
  { isGiven, isWhole }: { readonly isGiven: boolean; readonly isWhole: boolean },
): number {
  if (values.length === 0) return 1;
  const width = RULES[rule](dataOf(values));
  if (!(width > 0)) return 1;
  const bins = span / (isWhole && width < 1 ? 1 : width);
  const isShort = values instanceof Float32Array && SHORT.includes(rule) && !isGiven;
  return Math.ceil(isShort ? Math.fround(bins) : bins);
}

/** Numbers that rules use, each computed when it is first needed. */
interface Data {
  readonly count: number;
  /** Rounds to the precision of the samples: f32, or f64 for all other types. */
  readonly round: (x: number) => number;
  /** Largest minus smallest value. */
  readonly extent: number;
  readonly deviation: () => { readonly mean: number; readonly deviation: number };
  readonly values: SampleArray;
}

/** Widths of bins. */
const RULES: Readonly<Record<BinRule, (of: Data) => number>> = {
  sqrt: ({ extent, count }) => extent / Math.sqrt(count),
  sturges: ({ extent, count }) => extent / (log2(count) + 1),
  rice: ({ extent, count, round }) => round(extent / round(2 * root(count, 1 / 3))),
  scott: ({ count, round, deviation }) =>
    round(round(root((24 * Math.sqrt(Math.PI)) / count, 1 / 3)) * deviation().deviation),
  fd: ({ count, values }) => 2 * quartiles(values) * root(count, -1 / 3),
  doane,
  auto: (of) => Math.min(Math.max(RULES.fd(of), RULES.sqrt(of) / 2), RULES.sturges(of)),
};

/** Rules whose widths NumPy computes in f32 for f32 samples. */
const SHORT: readonly BinRule[] = ["rice", "scott"];

function dataOf(values: SampleArray): Data {
  const isShort = values instanceof Float32Array;
  const round = isShort ? Math.fround : (x: number) => x;
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  let known: { mean: number; deviation: number } | undefined;
  const deviation = () => {
    known ??= deviationOf(values, round);
    return known;
  };
  return { count: values.length, round, extent: round(most - least), deviation, values };
}

/** Doane's rule, which widens Sturges' for skewed data. */
function doane({ count, values, round, extent, deviation }: Data): number {
  if (count <= 2) return 0;
  const { mean, deviation: sigma } = deviation();
  if (!(sigma > 0)) return 0;
  const cubes = new (values instanceof Float32Array ? Float32Array : Float64Array)(count);
  for (let i = 0; i < count; i++) {
    const distance = round(round(values[i]! - mean) / sigma);
    cubes[i] = distance * distance * distance;
  }
  const skew = Math.abs(round(sumOf(cubes, 0, count, round) / count));
  const normal = Math.sqrt((6 * (count - 2)) / ((count + 1) * (count + 3)));
  return extent / (1 + log2(count) + log2(1 + skew / normal));
}

function deviationOf(values: SampleArray, round: (x: number) => number): { mean: number; deviation: number } {
  const count = values.length;
  const mean = round(sumOf(values, 0, count, round) / count);
  const squares = new (values instanceof Float32Array ? Float32Array : Float64Array)(count);
  for (let i = 0; i < count; i++) {
    const distance = round(values[i]! - mean);
    squares[i] = distance * distance;
  }
  return { mean, deviation: round(Math.sqrt(round(sumOf(squares, 0, count, round) / count))) };
}

/** Numbers that NumPy adds up in one loop of eight sums, and numbers of one sum. */
const BLOCK = 128;
const LANES = 8;

/** Adds up numbers in NumPy's order: halves, and blocks of eight interleaved sums (pairwise_sum). */
function sumOf(values: SampleArray, from: number, count: number, round: (x: number) => number): number {
  if (count > BLOCK) {
    const half = Math.floor(count / 2);
    const first = half - (half % LANES);
    return round(sumOf(values, from, first, round) + sumOf(values, from + first, count - first, round));
  }
  let sum = 0;
  let done = 0;
  if (count >= LANES) {
    const lanes = Float64Array.from({ length: LANES }, (_, i) => values[from + i]!);
    for (done = LANES; done + LANES <= count; done += LANES) {
      for (let i = 0; i < LANES; i++) lanes[i] = round(lanes[i]! + values[from + done + i]!);
    }
    const pair = (i: number): number => round(lanes[i]! + lanes[i + 1]!);
    sum = round(round(pair(0) + pair(2)) + round(pair(4) + pair(6)));
  }
  for (; done < count; done++) sum = round(sum + values[from + done]!);
  return sum;
}

/** Returns the distance of the quartiles, by linear interpolation. It sorts the values. */
function quartiles(values: SampleArray): number {
  values.sort();
  return percentile(values, 0.75) - percentile(values, 0.25);
}

function percentile(sorted: SampleArray, part: number): number {
  const at = (sorted.length - 1) * part;
  const before = Math.floor(at);
  const [a, b] = [sorted[before]!, sorted[Math.min(before + 1, sorted.length - 1)]!];
  const apart = sorted instanceof Float32Array ? Math.fround(b - a) : b - a;
  const along = at - before;
  return along >= 0.5 ? b - apart * (1 - along) : a + apart * along;
}

function log2(x: number): number {
  return doubleOf(logarithmOf2(bigOf(x)));
}

function root(x: number, exponent: number): number {
  return doubleOf(power(bigOf(x), exponent, 1));
}
