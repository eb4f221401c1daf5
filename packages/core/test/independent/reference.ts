/**
 * What polybin's documents promise, computed from the definitions alone. This file imports nothing, so that it cannot
 * share a mistake with core. Comparisons of doubles and of integers with doubles are exact in JavaScript. Remainders and
 * sums are exact in whole numbers of 2^-1074, which every finite double is. Logarithms and powers have 700 bits after
 * the point. The bins of NumPy's rules are computed in f64, and left open where its rounding decides.
 */

export type Type = "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64" | "f16" | "i64" | "u64";

/** A sample: a bigint for 64-bit integers, otherwise a number. */
export type Value = number | bigint;

/** A refusal that the documents promise. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, why: string) {
    super(why);
    this.code = code;
  }
}

export const SIZES: Readonly<Record<Type, number>> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  f32: 4,
  f64: 8,
  f16: 2,
  i64: 8,
  u64: 8,
};

export const isWhole = (type: Type): boolean => !type.startsWith("f");

/** The values of an integer type lie in [first, end). */
export function wholeRange(type: Type): { readonly first: bigint; readonly end: bigint } {
  const bits = BigInt(8 * SIZES[type]);
  return type.startsWith("u")
    ? { first: 0n, end: 1n << bits }
    : { first: -(1n << (bits - 1n)), end: 1n << (bits - 1n) };
}

// Samples

/** Where samples lie in bytes. */
export interface Layout {
  readonly channels: number;
  /** Absent: all pixels form one row. */
  readonly width?: number;
  readonly height?: number;
  readonly rowPitch?: number;
  readonly region?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

/** Reads the samples of a channel, little-endian, row by row. */
export function valuesIn(bytes: Uint8Array, type: Type, layout: Layout, channel: number): Value[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = SIZES[type];
  const pixel = size * layout.channels;
  const width = layout.width ?? bytes.byteLength / pixel;
  const height = layout.width === undefined ? 1 : layout.height!;
  const pitch = layout.rowPitch ?? width * pixel;
  const { x, y, width: columns, height: rows } = layout.region ?? { x: 0, y: 0, width, height };
  const values: Value[] = [];
  for (let row = y; row < y + rows; row++) {
    for (let column = x; column < x + columns; column++) {
      values.push(valueAt(view, type, row * pitch + column * pixel + channel * size));
    }
  }
  return values;
}

function valueAt(view: DataView, type: Type, at: number): Value {
  switch (type) {
    case "u8":
      return view.getUint8(at);
    case "i8":
      return view.getInt8(at);
    case "u16":
      return view.getUint16(at, true);
    case "i16":
      return view.getInt16(at, true);
    case "u32":
      return view.getUint32(at, true);
    case "i32":
      return view.getInt32(at, true);
    case "f32":
      return view.getFloat32(at, true);
    case "f64":
      return view.getFloat64(at, true);
    case "f16":
      return half(view.getUint16(at, true));
    case "i64":
      return view.getBigInt64(at, true);
    case "u64":
      return view.getBigUint64(at, true);
  }
}

/** The value of 16 bits by IEEE 754: a sign, 5 bits of exponent with a bias of 15, and 10 bits of fraction. */
export function half(bits: number): number {
  const sign = bits < 0x8000 ? 1 : -1;
  const exponent = Math.floor(bits / 1024) % 32;
  const fraction = (bits % 1024) / 1024;
  if (exponent === 31) return fraction > 0 ? Number.NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
}

// Exact numbers

const UNITS = 1074n;
const word = new DataView(new ArrayBuffer(8));

/** A finite number as a multiple of 2^-1074. */
function unitsOf(x: Value): bigint {
  if (typeof x === "bigint") return x << UNITS;
  word.setFloat64(0, x);
  const bits = word.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

/** The double nearest to a multiple of 2^-1074, ties to even. Infinity: there is none. */
export function nearest(units: bigint): number {
  if (units < 0n) return -nearest(-units);
  const length = units.toString(2).length;
  if (length <= 53) return doubleOf(units, 0n);
  const drop = BigInt(length - 53);
  const [kept, rest] = [units >> drop, units & ((1n << drop) - 1n)];
  const middle = 1n << (drop - 1n);
  const up = rest > middle || (rest === middle && kept % 2n === 1n);
  return doubleOf(up ? kept + 1n : kept, drop);
}

/** The double of a number of at most 53 bits, or of 2^53, times 2^(shift - 1074). */
function doubleOf(mantissa: bigint, shift: bigint): number {
  if (mantissa === 1n << 53n) return doubleOf(1n << 52n, shift + 1n);
  const exponent = mantissa < 1n << 52n ? 0n : shift + 1n;
  if (exponent >= 0x7ffn) return Infinity;
  word.setBigUint64(0, (exponent << 52n) | (mantissa & 0xf_ffff_ffff_ffffn));
  return word.getFloat64(0);
}

/** The double after (by 1) or before (by -1) a finite one. */
export function neighbour(x: number, by: 1 | -1): number {
  const of = nearest(unitsOf(x) + BigInt(by));
  if (of !== x) return of;
  word.setFloat64(0, x);
  word.setBigUint64(0, word.getBigUint64(0) + (x > 0 === by > 0 ? 1n : -1n));
  return word.getFloat64(0);
}

function remainder(a: bigint, by: bigint): bigint {
  const rest = a % by;
  return rest < 0n ? rest + by : rest;
}

// Axes

export type AxisSpec =
  | { readonly kind: "integer"; readonly start: number; readonly stop: number }
  | {
      readonly kind: "regular";
      readonly bins: number;
      readonly lo: number;
      readonly hi: number;
      readonly closed?: boolean;
      /** Set only for a range that was found in f32 samples: NumPy then spaces the edges in f32. */
      readonly spacing?: "f32";
    }
  | { readonly kind: "variable"; readonly edges: readonly number[]; readonly closed?: boolean }
  | { readonly kind: "category"; readonly values: readonly number[] | readonly string[] }
  | { readonly kind: "boolean" }
  | {
      readonly kind: "log";
      readonly bins: number;
      readonly lo: number;
      readonly hi: number;
      readonly closed?: boolean;
    }
  | {
      readonly kind: "power";
      readonly bins: number;
      readonly lo: number;
      readonly hi: number;
      readonly exponent: number;
      readonly closed?: boolean;
    }
  | { readonly kind: "circular"; readonly bins: number; readonly lo: number; readonly hi: number }
  | {
      readonly kind: "quantiles";
      readonly bins: number;
      readonly values: readonly number[];
      readonly zeros: number;
    };

/** The bins of an axis over samples of a type. */
export interface Bins {
  readonly bins: number;
  readonly edges: readonly number[];
  /** The bin of a sample, or `bins` for underflow, `bins + 1` for overflow, and `bins + 2` for NaN. */
  readonly code: (value: Value) => number;
  /** Whether the last bin includes its right edge. */
  readonly closed?: boolean;
}

const MOST_BINS = 65_536;
const MOST_CIRCULAR_BINS = 32_767;

/** Returns the bins of an axis over samples of a type. @throws Refusal */
export function binsOf(axis: AxisSpec, type: Type): Bins {
  switch (axis.kind) {
    case "integer":
      return integerBins(axis);
    case "regular":
      checkRange(axis);
      return interval(regularEdges(axis, type), axis.closed ?? true);
    case "variable":
      return variableBins(axis);
    case "category":
      return categoryBins(axis, type);
    case "boolean":
      return { bins: 2, edges: [0, 1, 2], code: (value) => (isNotNumber(value) ? 4 : isZero(value) ? 0 : 1) };
    case "log":
      return variableBins({ ...axis, kind: "variable", edges: logEdges(axis.bins, axis.lo, axis.hi) });
    case "power": {
      const edges = powerEdges(axis.bins, axis.lo, axis.hi, axis.exponent);
      return variableBins({ ...axis, kind: "variable", edges });
    }
    case "circular":
      return circularBins(axis);
    case "quantiles":
      return variableBins({ kind: "variable", edges: quantileEdges(axis) });
  }
}

/** The bins between some of the edges of an axis. The last is open, unless it is the axis' closed last bin. */
export function binsBetween({ edges, bins, closed = false }: Bins, cuts: readonly number[]): Bins {
  return interval(
    cuts.map((i) => edges[i]!),
    closed && cuts.at(-1) === bins,
  );
}

function refuseUnless(fits: boolean, code: string, why: string): void {
  if (!fits) throw new Refusal(code, why);
}

function checkBins(bins: number): void {
  refuseUnless(Number.isInteger(bins) && bins >= 1, "ERR_AXIS", "a whole number of bins");
  refuseUnless(bins <= MOST_BINS, "ERR_LIMIT", "65,536 bins");
}

const isNotNumber = (value: Value): boolean => Number.isNaN(value);
const isZero = (value: Value): boolean => value === 0 || value === 0n;

/** Bins between ascending edges: edges[i] <= x < edges[i + 1], and x = edges[bins] in a closed last bin. */
function interval(edges: readonly number[], closed: boolean): Bins {
  const bins = edges.length - 1;
  const code = (value: Value): number => {
    if (isNotNumber(value)) return bins + 2;
    if (value < edges[0]!) return bins;
    if (closed ? value > edges[bins]! : value >= edges[bins]!) return bins + 1;
    let [low, high] = [0, bins];
    // edges[low] <= value, and value < edges[high] unless value is the closed end.
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (value >= edges[middle]!) low = middle;
      else high = middle;
    }
    return low;
  };
  return { bins, edges, code, closed };
}

function integerBins({ start, stop }: Extract<AxisSpec, { kind: "integer" }>): Bins {
  refuseUnless(Number.isSafeInteger(start) && Number.isSafeInteger(stop), "ERR_AXIS", "safe integers");
  refuseUnless(start < stop, "ERR_AXIS", "start < stop");
  checkBins(stop - start);
  return interval(
    Array.from({ length: stop - start + 1 }, (_, i) => start + i),
    false,
  );
}

function checkRange({
  bins,
  lo,
  hi,
}: {
  readonly bins: number;
  readonly lo: number;
  readonly hi: number;
}): void {
  checkBins(bins);
  refuseUnless(Number.isFinite(lo) && Number.isFinite(hi) && lo < hi, "ERR_AXIS", "finite lo < hi");
  refuseUnless(Number.isFinite(hi - lo), "ERR_AXIS", "a finite width");
}

/** NumPy's linspace: each operation rounds to f64, or to f32 if the ends are f32 scalars. */
function regularEdges(
  { bins, lo, hi, spacing }: Pick<Extract<AxisSpec, { kind: "regular" }>, "bins" | "lo" | "hi" | "spacing">,
  type: Type,
): number[] {
  const round = spacing === "f32" ? Math.fround : (x: number) => x;
  const step = round(round(hi - lo) / bins);
  const edges = Array.from({ length: bins + 1 }, (_, i) => (i === bins ? hi : round(round(i * step) + lo)));
  const rounded = type === "f32" ? edges.map(Math.fround) : edges;
  const isGood = rounded.every((edge, i) => Number.isFinite(edge) && (i === 0 || edge > rounded[i - 1]!));
  refuseUnless(isGood, "ERR_AXIS", "finite, different edges");
  return rounded;
}

function variableBins({ edges, closed = true }: Extract<AxisSpec, { kind: "variable" }>): Bins {
  refuseUnless(edges.length >= 2, "ERR_AXIS", "two edges");
  checkBins(edges.length - 1);
  for (const [i, edge] of edges.entries()) {
    const mayBe = i === 0 ? -Infinity : i === edges.length - 1 ? Infinity : 0;
    refuseUnless(Number.isFinite(edge) || edge === mayBe, "ERR_AXIS", "finite inner edges");
    refuseUnless(i === 0 || edge > edges[i - 1]!, "ERR_AXIS", "ascending edges");
  }
  return interval(edges, closed);
}

function categoryBins({ values }: Extract<AxisSpec, { kind: "category" }>, type: Type): Bins {
  refuseUnless(values.length > 0, "ERR_AXIS", "a value");
  checkBins(values.length);
  const areStrings = typeof values[0] === "string";
  const known = new Map<unknown, number>();
  for (const [bin, value] of values.entries()) {
    const fits = areStrings ? typeof value === "string" : Number.isSafeInteger(value);
    // A Map takes -0 and 0 as one key.
    refuseUnless(fits && !known.has(value), "ERR_AXIS", "different values");
    known.set(value, bin);
  }
  const bins = values.length;
  const numbers = areStrings ? new Map(values.map((_, i) => [i as unknown, i])) : known;
  refuseUnless(bins + gapsIn([...numbers.keys()] as number[], type) <= MOST_BINS, "ERR_LIMIT", "gaps");
  const code = (value: Value): number => {
    // A safe integer converts without loss, and any other 64-bit integer is not listed.
    const key =
      typeof value === "bigint" ? (BigInt.asIntN(54, value) === value ? Number(value) : undefined) : value;
    return numbers.get(key) ?? bins + 1;
  };
  return { bins, edges: Array.from({ length: bins + 1 }, (_, i) => i), code };
}

/** The number of gaps between values. Between neighbouring integers lie other floats, but no other integers. */
function gapsIn(values: readonly number[], type: Type): number {
  if (!isWhole(type)) return values.length - 1;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.filter((value, i) => i > 0 && value !== sorted[i - 1]! + 1).length;
}

/** A sample x is in the bin that holds x + k * period for a whole k. The period is hi - lo, rounded to f64. */
function circularBins({ bins, lo, hi }: Extract<AxisSpec, { kind: "circular" }>): Bins {
  checkBins(bins);
  refuseUnless(bins <= MOST_CIRCULAR_BINS, "ERR_LIMIT", "32,767 bins");
  checkRange({ bins, lo, hi });
  const edges = regularEdges({ bins, lo, hi }, "f64");
  const period = unitsOf(hi - lo);
  const first = unitsOf(lo);
  const starts = edges.slice(0, -1).map((edge) => unitsOf(edge) - first);
  const code = (value: Value): number => {
    if (isNotNumber(value)) return bins + 2;
    if (value === Infinity || value === -Infinity) return value > 0 ? bins + 1 : bins;
    const at = remainder(unitsOf(value) - first, period);
    let [low, high] = [0, bins];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (at >= starts[middle]!) low = middle;
      else high = middle;
    }
    return low;
  };
  return { bins, edges, code };
}

/** Edges between which lie about equally many values. Neighbouring doubles count as equal. */
function quantileEdges({ bins, values, zeros }: Extract<AxisSpec, { kind: "quantiles" }>): number[] {
  checkBins(bins);
  const all = [...values, ...Array.from({ length: zeros }, () => 0)].sort((a, b) => a - b);
  const groups: number[][] = [];
  for (const value of all) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && neighbour(last, 1) >= value) groups.at(-1)!.push(value);
    else groups.push([value]);
  }
  if (groups.length === 0) return [0, 1];
  const [least, most] = [all[0]!, all.at(-1)!];
  if (groups.length === 1) return widened(least, most);
  const edges = [least];
  let rest = groups;
  for (let left = Math.min(bins, groups.length); left > 1; left--) {
    const total = rest.flat().length;
    const allowed = Array.from({ length: rest.length - left + 1 }, (_, i) => i + 1);
    const missed = (taken: number) => Math.abs(rest.slice(0, taken).flat().length * left - total);
    const taken = allowed.reduce((best, one) => (missed(one) < missed(best) ? one : best));
    edges.push(middleOf(rest[taken - 1]!.at(-1)!, rest[taken]![0]!));
    rest = rest.slice(taken);
  }
  return [...edges, most];
}

/** The double nearest to the middle of two, ties to even. */
function middleOf(a: number, b: number): number {
  const sum = unitsOf(a) + unitsOf(b);
  // The sum of the largest doubles is even, and no double near an odd one loses its last half.
  return sum % 2n === 0n ? nearest(sum / 2n) : nearest(sum) / 2;
}

/** A half on each side, or more if no double shows it. */
function widened(least: number, most: number): number[] {
  for (let by = 0.5; ; by *= 2) {
    const ends = [Math.max(least - by, -Number.MAX_VALUE), Math.min(most + by, Number.MAX_VALUE)] as const;
    if (ends[0] < ends[1]) return [...ends];
  }
}

// Ranges from the type and from the data

/** The axis of all values of an integer type: one bin per value if there are as many bins. */
export function axisOfType(type: Type, bins: number): AxisSpec {
  checkBins(bins);
  refuseUnless(isWhole(type), "ERR_INPUT", "floats have no range of their type");
  const { first, end } = wholeRange(type);
  return end - first === BigInt(bins)
    ? { kind: "integer", start: Number(first), stop: Number(end) }
    : { kind: "regular", bins, lo: Number(first), hi: Number(end) };
}

/** The axis that NumPy uses for data: its finite minimum to maximum. */
export function axisOfData(type: Type, bins: number, values: readonly Value[]): AxisSpec {
  checkBins(bins);
  const finite = values.filter((value) => typeof value === "bigint" || Number.isFinite(value));
  if (finite.length === 0) return { kind: "regular", bins, lo: 0, hi: 1 };
  const [first, last] = endsOf(finite);
  const [least, most] = [below(first), above(last)];
  const round = type === "f32" ? Math.fround : (x: number) => x;
  const [lo, hi] = least === most ? [round(least - 0.5), round(most + 0.5)] : [least, most];
  refuseUnless(lo < hi && Number.isFinite(round(hi - lo)), "ERR_AXIS", "a range that divides");
  return type === "f32"
    ? { kind: "regular", bins, lo, hi, spacing: "f32" }
    : { kind: "regular", bins, lo, hi };
}

/** The smallest and the largest of values, which Math.min does not find among 64-bit integers. */
function endsOf(values: readonly Value[]): [Value, Value] {
  let [least, most] = [values[0]!, values[0]!];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** The largest double that is at most the value. */
export function below(value: Value): number {
  const near = Number(value);
  return near <= value ? near : neighbour(near, -1);
}

/** The smallest double that is at least the value. */
function above(value: Value): number {
  const near = Number(value);
  return near >= value ? near : neighbour(near, 1);
}

export type Rule = "auto" | "doane" | "fd" | "rice" | "scott" | "sqrt" | "sturges";

/**
 * The number of bins by one of NumPy's rules for values within a range of this width. Null: the quotient is so near to
 * a whole number, or the values are so far apart in size, that the rounding of each step decides.
 */
export function binsByRule(rule: Rule, values: readonly number[], span: number, type: Type): number | null {
  if (values.length === 0) return 1;
  const extent = Math.max(...values) - Math.min(...values);
  const largest = Math.max(...values.map(Math.abs));
  if (extent === 0) return 1;
  const isEven = extent > largest / 1000 && extent > 1e-12 && largest < 1e12 && span < 1e15;
  const isShort = type === "f32" || type === "f16";
  if (!isEven || (isShort && (rule === "scott" || rule === "doane"))) return null;
  const width = WIDTHS[rule](values, extent);
  if (!(width > 0)) return width === 0 ? 1 : null;
  const bins = span / (isWhole(type) && width < 1 ? 1 : width);
  // Extents of whole numbers and widths of 1 are exact.
  if (isWhole(type) && width < 1) return Math.ceil(bins);
  const isNear = Math.abs(bins - Math.round(bins)) < (isShort ? 1e-4 : 1e-9) * (1 + bins);
  return isNear || Math.abs(width - 1) < 1e-6 ? null : Math.ceil(bins);
}

/** The width of a bin by each rule. Source: the documentation of numpy.histogram_bin_edges. */
const WIDTHS: Readonly<Record<Rule, (values: readonly number[], extent: number) => number>> = {
  sqrt: ({ length }, extent) => extent / Math.sqrt(length),
  sturges: ({ length }, extent) => extent / (Math.log2(length) + 1),
  rice: ({ length }, extent) => extent / (2 * Math.cbrt(length)),
  scott: (values) => Math.cbrt((24 * Math.sqrt(Math.PI)) / values.length) * momentsOf(values).deviation,
  fd: (values) => (2 * (percentile(values, 0.75) - percentile(values, 0.25))) / Math.cbrt(values.length),
  doane: (values, extent) => {
    const n = values.length;
    const { skew } = momentsOf(values);
    const normal = Math.sqrt((6 * (n - 2)) / ((n + 1) * (n + 3)));
    return n <= 2 ? 0 : extent / (1 + Math.log2(n) + Math.log2(1 + Math.abs(skew) / normal));
  },
  auto: (values, extent) =>
    Math.min(
      Math.max(WIDTHS.fd(values, extent), WIDTHS.sqrt(values, extent) / 2),
      WIDTHS.sturges(values, extent),
    ),
};

function momentsOf(values: readonly number[]): { readonly deviation: number; readonly skew: number } {
  const mean = (of: readonly number[]) => of.reduce((sum, x) => sum + x, 0) / of.length;
  const middle = mean(values);
  const deviation = Math.sqrt(mean(values.map((x) => (x - middle) ** 2)));
  return { deviation, skew: mean(values.map((x) => ((x - middle) / deviation) ** 3)) };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [before, after] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return before + (after - before) * (at % 1);
}

// Counts

/** What one cell adds up. The sums are whole numbers of 2^-1074. */
export interface Cell {
  count: number;
  sum: bigint;
  squares: bigint;
  /** Sum of the magnitudes of the weights. */
  size: bigint;
}

/** One histogram: its cells by index, and how many samples a mask left out. */
export interface Counted {
  readonly cells: Map<number, Cell>;
  readonly masked: number;
}

/** What a histogram counts. */
export interface Counting {
  /** The code of every sample on every axis, and the number of codes of each axis. */
  readonly columns: readonly { readonly codes: readonly number[]; readonly extent: number }[];
  /** The samples in question, in any order and with repetitions. */
  readonly samples: Iterable<number>;
  /** Whether a sample is counted. */
  readonly mask: ((sample: number) => boolean) | null;
  readonly weights: ArrayLike<number> | null;
}

/** Counts samples and adds up their weights exactly. The last axis is the fastest. */
export function count({ columns, samples, mask, weights }: Counting): Counted {
  const cells = new Map<number, Cell>();
  let masked = 0;
  for (const sample of samples) {
    if (mask !== null && !mask(sample)) {
      masked++;
      continue;
    }
    let index = 0;
    for (const { codes, extent } of columns) index = index * extent + codes[sample]!;
    let cell = cells.get(index);
    if (cell === undefined) {
      cell = { count: 0, sum: 0n, squares: 0n, size: 0n };
      cells.set(index, cell);
    }
    cell.count++;
    if (weights !== null) {
      const weight = weights[sample]!;
      const units = unitsOf(weight);
      cell.sum += units;
      cell.size += units < 0n ? -units : units;
      const square = weight * weight;
      if (Number.isFinite(square)) cell.squares += unitsOf(square);
    }
  }
  return { cells, masked };
}

// Edges that are even in their logarithms or powers

/** Bits after the point of fixed-point numbers. Their errors stay far above the last 150. */
const POINT = 700n;
const ONE = 1n << POINT;
/** A fraction this near to one half is one half, since no computation here errs as much. */
const TIE = 500n;

/** A positive number: mantissa * 2^exponent. */
interface Scaled {
  readonly mantissa: bigint;
  readonly exponent: bigint;
}

const lengthOf = (x: bigint): bigint => BigInt(x.toString(2).length);

/** Edges 0, …, bins of lo (hi / lo)^(i / bins), each rounded to the nearest f64. */
function logEdges(bins: number, lo: number, hi: number): number[] {
  checkEnds(bins, lo, hi, lo > 0);
  const [first, last] = [lnOf(scaled(lo)), lnOf(scaled(hi))];
  return spaced(bins, lo, hi, (i) => expOf((first * BigInt(bins - i) + last * BigInt(i)) / BigInt(bins)));
}

/** Edges 0, …, bins of (lo^p + (hi^p - lo^p) i / bins)^(1 / p), each rounded to the nearest f64. */
function powerEdges(bins: number, lo: number, hi: number, p: number): number[] {
  refuseUnless(Math.abs(p) >= 0.001 && Math.abs(p) <= 1000, "ERR_AXIS", "an exponent from 0.001 to 1,000");
  checkEnds(bins, lo, hi, p > 0 ? lo >= 0 : lo > 0);
  const units = unitsOf(p);
  const powerOf = (x: number) => expOf((lnOf(scaled(x)) * units) >> UNITS);
  const first = lo === 0 ? null : powerOf(lo);
  const last = powerOf(hi);
  // If no bit shows the smaller power, the edge is still above (or below, for p < 0) that of the larger one alone.
  const isHidden = first !== null && unitsApart(first, last) > TIE - 64n;
  return spaced(
    bins,
    lo,
    hi,
    (i) => {
      const part = times(last, BigInt(i));
      const mixed = first === null ? part : plus(times(first, BigInt(bins - i)), part);
      const ln = lnOf(mixed) - lnOf({ mantissa: BigInt(bins), exponent: 0n });
      return expOf((ln << UNITS) / units);
    },
    isHidden ? p > 0 : null,
  );
}

/** How many binary places lie between two numbers. */
function unitsApart(a: Scaled, b: Scaled): bigint {
  const apart = lengthOf(a.mantissa) + a.exponent - lengthOf(b.mantissa) - b.exponent;
  return apart < 0n ? -apart : apart;
}

function checkEnds(bins: number, lo: number, hi: number, fits: boolean): void {
  checkBins(bins);
  refuseUnless(Number.isFinite(lo) && Number.isFinite(hi) && fits && lo < hi, "ERR_AXIS", "finite lo < hi");
}

function spaced(
  bins: number,
  lo: number,
  hi: number,
  inner: (i: number) => Scaled,
  tiesGoUp: boolean | null = null,
): number[] {
  return Array.from({ length: bins + 1 }, (_, i) =>
    i === 0 ? lo : i === bins ? hi : rounded(inner(i), tiesGoUp),
  );
}

function scaled(x: number): Scaled {
  return { mantissa: unitsOf(x), exponent: -UNITS };
}

const times = ({ mantissa, exponent }: Scaled, by: bigint): Scaled => ({ mantissa: mantissa * by, exponent });

function plus(a: Scaled, b: Scaled): Scaled {
  if (a.exponent < b.exponent) return plus(b, a);
  const apart = a.exponent - b.exponent;
  // What lies this far below no double can show.
  if (apart > 4n * POINT) return a;
  return { mantissa: (a.mantissa << apart) + b.mantissa, exponent: b.exponent };
}

/** The nearest f64. Ties go up or down, or to the even one (null). */
function rounded({ mantissa, exponent }: Scaled, tiesGoUp: boolean | null): number {
  const length = lengthOf(mantissa);
  const most = length + exponent + UNITS;
  const kept = most < 53n ? most : 53n;
  if (kept < 0n) return 0;
  const drop = length - kept;
  const [whole, rest] = [mantissa >> drop, mantissa & ((1n << drop) - 1n)];
  const middle = 1n << (drop - 1n);
  const over = rest - middle;
  const isTie = (over < 0n ? -over : over) < 1n << (drop > TIE ? drop - TIE : 0n);
  const up = isTie ? (tiesGoUp ?? whole % 2n === 1n) : over > 0n;
  return doubleOf(up ? whole + 1n : whole, exponent + drop + UNITS);
}

let ln2: bigint | undefined;

/** ln 2 = 18 artanh(1 / 26) - 2 artanh(1 / 4801) + 8 artanh(1 / 8749), in fixed point. */
function naturalOf2(): bigint {
  const artanh = (inverse: bigint): bigint => {
    let sum = 0n;
    let power = ONE / inverse;
    for (let odd = 1n; power > 0n; odd += 2n) {
      sum += power / odd;
      power /= inverse * inverse;
    }
    return sum;
  };
  ln2 ??= 18n * artanh(26n) - 2n * artanh(4801n) + 8n * artanh(8749n);
  return ln2;
}

/** e^x of a number in fixed point. */
function expOf(x: bigint): Scaled {
  const twos = x / naturalOf2();
  return { mantissa: smallExp(x - twos * naturalOf2()), exponent: twos - POINT };
}

/** e^x for |x| < 1, in fixed point: the series of x / 2^16, squared 16 times. */
function smallExp(x: bigint): bigint {
  const part = x >> 16n;
  let sum = ONE;
  let term = ONE;
  for (let i = 1n; term !== 0n && term !== -1n; i++) {
    term = (term * part) / (ONE * i);
    sum += term;
  }
  for (let i = 0; i < 16; i++) sum = (sum * sum) >> POINT;
  return sum;
}

/** The natural logarithm of a positive number in fixed point, by Halley's iteration on e^y. */
function lnOf({ mantissa, exponent }: Scaled): bigint {
  const length = lengthOf(mantissa);
  const shift = POINT + 1n - length;
  const fraction = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  let y =
    BigInt(Math.round(Math.log(Number(fraction >> (POINT - 52n)) / 2 ** 52) * 2 ** 52)) << (POINT - 52n);
  // 50 right bits become 150, 450 and 1350.
  for (let i = 0; i < 3; i++) {
    const power = smallExp(y);
    y += (2n * (fraction - power) * ONE) / (fraction + power);
  }
  return y + (length - 1n + exponent) * naturalOf2();
}
