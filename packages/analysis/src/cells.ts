import { AnalysisError, checkOptions, expected } from "./error.ts";

/**
 * A histogram over one axis: core's `Histogram` or `WeightedHistogram`, or any object with these properties.
 *
 *   counts      one number per bin, 0 or more
 *   sums        one sum of weights per bin, 0 or more. If it is given, it takes the place of `counts`
 *   edges       bins + 1 ascending numbers
 *   underflow   samples below the first edge; `overflow`, above the last edge. Default: 0. NaN samples never take part.
 *   flowSums    sums of weights outside the bins, in place of `underflow` and `overflow`. Default: 0.
 *   type        core's type of the samples, such as "u8". Integer types give tighter bounds. Default: f64.
 *   axis        core's axis. The last bin of an integer axis, or with `closed: false`, does not hold its right edge. Bins of
 *               a category, boolean or circular axis have no order. Default: the last bin holds its right edge.
 */
export interface Counted {
  readonly counts: ArrayLike<number> | null;
  readonly sums?: ArrayLike<number>;
  readonly edges: ArrayLike<number>;
  readonly underflow?: number | null;
  readonly overflow?: number | null;
  readonly flowSums?: { readonly underflow: number; readonly overflow: number };
  readonly type?: string;
  readonly axis?: {
    readonly type: string;
    readonly closed?: boolean | undefined;
    readonly values?: readonly (number | string)[];
  };
}

/** A number of the samples, as far as their bins determine it: `low` <= number of the samples <= `high`. */
export interface Bounded {
  /** The answer if the samples of a bin are spread evenly over it. NaN if nothing determines it. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Options of all functions that read samples outside the bins. */
export interface FlowOptions {
  /** Whether the samples below and above the bins take part. Default: true. */
  readonly flow?: boolean;
}

/** The non-empty intervals of a histogram in ascending order: underflow, bins, overflow. */
export interface Cells {
  /** The number of samples in each. */
  readonly counts: Float64Array;
  /** The smallest and the largest value that a sample of each can have. */
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  readonly total: number;
  /** Whether the counts are sums of weights. */
  readonly weighted: boolean;
}

/** The values of core's integer types. i64 and u64 are as wide as doubles show them. */
const RANGES: { readonly [type: string]: readonly [number, number] } = {
  u8: [0, 255],
  i8: [-128, 127],
  u16: [0, 65535],
  i16: [-32768, 32767],
  u32: [0, 4294967295],
  i32: [-2147483648, 2147483647],
  u64: [0, 2 ** 64],
  i64: [-(2 ** 63), 2 ** 63],
};

/** Returns true for core's integer types. */
export function isIntegerType(type: string | undefined): boolean {
  return type !== undefined && Object.hasOwn(RANGES, type);
}

/** The bounds of each bin's values. */
export interface Bounds {
  readonly lows: Float64Array;
  readonly highs: Float64Array;
}

/** The numbers of a histogram in its bins. */
export type InBins = Pick<Counted, "counts" | "sums">;

/** Returns true for a histogram whose bins have sums of weights. */
function isWeighted(histogram: InBins): boolean {
  return histogram.sums !== undefined;
}

/** @throws ERR_UNSUPPORTED for sums of weights, if a function is not defined for them. */
export function checkUnweighted(histogram: InBins, name: string): void {
  if (!isWeighted(histogram)) return;
  throw new AnalysisError(
    "ERR_UNSUPPORTED",
    `expected counts for ${name} but received sums of weights, for which this function is not defined; pass ` +
      `{ counts, edges, axis, type } of the histogram to use its counts`,
  );
}

/**
 * Checks a histogram and returns its counts as doubles, or its sums of weights if it has them.
 * @throws ERR_INPUT for numbers that are negative, not finite or missing, and for means of another quantity.
 */
export function countsOf(histogram: InBins, name = "histogram"): Float64Array {
  const given = histogram as (InBins & { readonly means?: unknown }) | null | undefined;
  const counts = given?.sums ?? given?.counts;
  if (typeof counts !== "object" || counts === null || !(counts.length >= 1) || given?.means !== undefined) {
    throw expected("ERR_INPUT", name, "a histogram with counts or sums of weights", histogram);
  }
  const checked = Float64Array.from(counts);
  // Texts are not numbers, although they convert to some.
  const wrong = checked.findIndex(
    (count, i) => !(count >= 0 && count < Infinity) || typeof counts[i] !== "number",
  );
  if (wrong >= 0) throw wrongCount(counts[wrong], `${name}.${given?.sums ? "sums" : "counts"}[${wrong}]`);
  return checked;
}

/** Returns the numbers below and above the bins. @throws ERR_INPUT for numbers that are negative or not finite */
export function outsideOf(histogram: Omit<Counted, "edges">, name = "histogram"): [number, number] {
  const { underflow, overflow } = isWeighted(histogram) ? (histogram.flowSums ?? {}) : histogram;
  return [checkedCount(underflow ?? 0, `${name}.underflow`), checkedCount(overflow ?? 0, `${name}.overflow`)];
}

function checkedCount(count: number, name: string): number {
  if (count >= 0 && count < Infinity) return count;
  throw wrongCount(count, name);
}

function wrongCount(count: unknown, name: string): AnalysisError {
  return expected("ERR_INPUT", name, "a finite number of at least 0", count);
}

/**
 * Returns the smallest and the largest value that each bin can hold. They are equal if a bin holds one value, as each
 * bin of 8-bit samples over the default axis does.
 * @throws ERR_AXIS for edges that are missing, do not fit the counts or do not ascend, and for bins without an order.
 */
export function boundsOf(histogram: Counted, name = "histogram"): Bounds {
  const { edges, type = "f64", axis } = histogram;
  checkOrdered(histogram, name);
  const bins = binsOf(histogram);
  if (typeof edges !== "object" || edges === null || edges.length !== bins + 1) {
    throw expected("ERR_AXIS", `${name}.edges`, `${bins + 1} ascending numbers`, edges);
  }
  const isClosed = axis?.type !== "integer" && axis?.closed !== false;
  const range = RANGES[type];
  const [lows, highs] = [new Float64Array(bins), new Float64Array(bins)];
  for (let i = 0; i < bins; i++) {
    const [lo, hi] = [edges[i]!, edges[i + 1]!];
    if (!(lo < hi)) throw expected("ERR_AXIS", `${name}.edges[${i + 1}]`, `a number above ${lo}`, hi);
    [lows[i], highs[i]] =
      range === undefined ? [lo, hi] : integersIn(lo, hi, isClosed && i === bins - 1, range);
  }
  return { lows, highs };
}

/** Returns the number of bins. */
export function binsOf({ counts, sums }: InBins): number {
  return (sums ?? counts)!.length;
}

const UNORDERED = new Set(["category", "boolean", "circular"]);

/** @throws ERR_AXIS for bins without an order. */
export function checkOrdered({ axis }: Pick<Counted, "axis">, name: string): void {
  if (axis === undefined || !UNORDERED.has(axis.type)) return;
  throw new AnalysisError(
    "ERR_AXIS",
    `expected bins in an order for ${name} but received an axis of type ${axis.type}`,
  );
}

/** The integers of a bin. A bin without one keeps its edges: it is empty. */
function integersIn(
  lo: number,
  hi: number,
  isClosed: boolean,
  [least, most]: readonly [number, number],
): [number, number] {
  const low = Math.max(Math.ceil(lo), least);
  const high = Math.min(isClosed ? Math.floor(hi) : Math.ceil(hi) - 1, most);
  return low <= high ? [low, high] : [lo, hi];
}

/**
 * Returns the non-empty cells of a histogram.
 * @throws ERR_INPUT, ERR_AXIS as `countsOf` and `boundsOf`.
 */
export function cellsOf(histogram: Counted, options: FlowOptions = {}, name = "histogram"): Cells {
  checkFlow(options);
  const inBins = countsOf(histogram, name);
  const { lows, highs } = boundsOf(histogram, name);
  const rows = [...inBins.keys()].map((i) => [inBins[i]!, lows[i]!, highs[i]!] as const);
  if (options.flow ?? true) {
    const { edges, type = "f64" } = histogram;
    const [least, most] = RANGES[type] ?? [-Infinity, Infinity];
    const isInteger = isIntegerType(type);
    const first = isInteger ? Math.ceil(edges[0]!) - 1 : edges[0]!;
    const last = edges[edges.length - 1]!;
    const [underflow, overflow] = outsideOf(histogram, name);
    rows.unshift([underflow, least, first]);
    rows.push([overflow, isInteger ? Math.ceil(last) : last, most]);
  }
  const filled = rows.filter(([count]) => count > 0);
  return {
    counts: Float64Array.from(filled, ([count]) => count),
    lows: Float64Array.from(filled, ([, low]) => low),
    highs: Float64Array.from(filled, ([, , high]) => high),
    total: sumOf(filled, ([count]) => count),
    weighted: isWeighted(histogram),
  };
}

/** @throws ERR_INPUT for options other than `flow`. */
export function checkFlow(options: FlowOptions): void {
  checkOptions(options, ["flow"]);
  if (options.flow !== undefined && typeof options.flow !== "boolean") {
    throw expected("ERR_INPUT", "flow", "true or false", options.flow);
  }
}

/** The middle of two bounds; NaN between infinite ones. Halves are added, because a sum may be infinite. */
export function middle(low: number, high: number): number {
  if (low === high) return low;
  const sum = low + high;
  if (Number.isFinite(sum)) return sum / 2;
  return Number.isFinite(low) && Number.isFinite(high) ? low / 2 + high / 2 : Number.NaN;
}

/**
 * Returns the center of each bin: the middle between the smallest and the largest value that it can hold. For floats it is
 * the middle of the edges, and for a bin with a single integer it is this integer.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram.
 */
export function centers(histogram: Counted): Float64Array {
  countsOf(histogram);
  const { lows, highs } = boundsOf(histogram);
  return lows.map((low, i) => middle(low, highs[i]!));
}

/** Adds numbers with Neumaier's correction, so that the sum of many doubles is right to the last bits. */
export function sumOf<T>(values: Iterable<T>, of: (value: T, i: number) => number): number {
  let [sum, lost, i] = [0, 0, 0];
  for (const value of values) {
    const next = of(value, i++);
    const total = sum + next;
    if (Number.isFinite(total)) {
      lost += Math.abs(sum) >= Math.abs(next) ? sum - total + next : next - total + sum;
    }
    sum = total;
  }
  return sum + lost;
}
