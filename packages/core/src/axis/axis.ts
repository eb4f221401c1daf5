import { checkNames, expected, PolybinError } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { kindOf } from "./kinds.ts";
import { MAX_BINS } from "./limits.ts";
import type { Axis, AxisEnd, IntegerAxis, OrderedAxis, RegularAxis, VariableAxis } from "./types.ts";

export type { Axis, AxisEnd, IntegerAxis, OrderedAxis, RegularAxis, VariableAxis } from "./types.ts";

/** Axes that this file created, which need no check. */
const made = new WeakSet<object>();

/** Freezes an axis that needs no further check, and gives it edges if it does not list them. */
export function own<A extends Axis>(axis: Omit<A, "edges"> & Partial<Pick<A, "edges">>): A {
  if (!("edges" in axis)) {
    let edges: readonly number[] | null = null;
    // Not enumerable, because they follow from the other properties, which alone are written and compared.
    Object.defineProperty(axis, "edges", {
      get: () => (edges ??= Object.freeze([...edgesOf(axis as A, "f64")])),
    });
  }
  made.add(axis);
  return Object.freeze(axis) as A;
}

/**
 * Creates an axis with one bin per integer in [start, stop).
 * @throws ERR_AXIS unless both are safe integers and start < stop.
 * @throws ERR_LIMIT above 65,536 bins.
 */
export function integer(start: number, stop: number): IntegerAxis {
  for (const [name, value] of [
    ["start", start],
    ["stop", stop],
  ] as const) {
    if (!Number.isSafeInteger(value)) throw expected("ERR_AXIS", name, "an integer", value);
  }
  if (start >= stop) throw expected("ERR_AXIS", "stop", `an integer above start (${start})`, stop);
  return own<IntegerAxis>({
    type: "integer",
    bins: checkedBins(stop - start),
    start: unsigned(start),
    stop: unsigned(stop),
  });
}

/**
 * Creates an axis of `bins` bins of equal width from `lo` to `hi`. The edges are NumPy's `linspace(lo, hi, bins + 1)`.
 * @param options `closed: false` for an open last bin, as in boost-histogram, OpenCV and CUB. Default: the last bin
 * includes `hi`, as in NumPy.
 * @throws ERR_AXIS unless `lo` and `hi` are finite, lo < hi, and `bins` is a whole number of at least 1.
 * @throws ERR_LIMIT above 65,536 bins.
 */
export function regular(bins: number, lo: number, hi: number, options: AxisEnd = {}): RegularAxis {
  return regularSpaced(bins, lo, hi, "f64", options);
}

/** Creates a regular axis. With "f32" the edges are spaced as NumPy spaces a range that it found in f32 data. */
export function regularSpaced(
  bins: number,
  lo: number,
  hi: number,
  spacing: "f64" | "f32",
  options: AxisEnd = {},
): RegularAxis {
  const count = regularBins(bins, lo, hi);
  for (const [name, value] of [
    ["lo", lo],
    ["hi", hi],
  ] as const) {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw expected("ERR_AXIS", name, "a finite number", value);
    }
  }
  if (lo >= hi) throw expected("ERR_AXIS", "hi", `a number above lo (${lo})`, hi);
  if (spacing !== "f64" && spacing !== "f32") throw expected("ERR_AXIS", "spacing", "f64 or f32", spacing);
  if (!Number.isFinite(hi - lo)) throw expected("ERR_AXIS", "hi - lo", "a finite width", hi - lo);
  return own<RegularAxis>({
    type: "regular",
    bins: count,
    lo: unsigned(lo),
    hi: unsigned(hi),
    ...endOf(options),
    spacing,
  });
}

/** Returns 0 for -0, which is the same edge, and which JSON does not have. */
function unsigned(edge: number): number {
  return edge === 0 ? 0 : edge;
}

/** The property of an open last bin, which other axes do not have. @throws ERR_AXIS */
function endOf(options: AxisEnd): { readonly closed?: false } {
  checkNames(options, ["closed"], { code: "ERR_AXIS" });
  const { closed = true } = options;
  if (typeof closed !== "boolean") throw expected("ERR_AXIS", "closed", "true or false", closed);
  return closed ? {} : { closed };
}

/**
 * Creates an axis of bins between the given edges. Bin i holds edges[i] <= x < edges[i + 1].
 * @param edges The first may be -Infinity and the last Infinity, so that no number falls outside.
 * @param options `closed: false` for an open last bin. Default: the last bin includes its right edge, as in NumPy.
 * @throws ERR_AXIS unless there are at least two edges, all strictly ascending and all inner ones finite.
 * @throws ERR_LIMIT above 65,537 edges.
 */
export function variable(edges: ArrayLike<number>, options: AxisEnd = {}): VariableAxis {
  if (edges === null || typeof edges !== "object" || !(edges.length >= 2)) {
    throw expected("ERR_AXIS", "edges", "at least two ascending numbers", edges);
  }
  const bins = checkedBins(edges.length - 1);
  const copy = Array.from(edges, unsigned);
  for (let i = 0; i < copy.length; i++) {
    const edge = copy[i];
    const isEnd = (i === 0 && edge === -Infinity) || (i === bins && edge === Infinity);
    if (typeof edge !== "number" || !(Number.isFinite(edge) || isEnd)) {
      throw expected("ERR_AXIS", `edges[${i}]`, "a finite number", edge);
    }
    if (i > 0 && edge <= copy[i - 1]!) {
      throw expected("ERR_AXIS", `edges[${i}]`, `a number above the edge before it (${copy[i - 1]})`, edge);
    }
  }
  return own<VariableAxis>({ type: "variable", bins, edges: Object.freeze(copy), ...endOf(options) });
}

/** Whether the last bin includes its right edge. */
export function isClosed(axis: OrderedAxis): boolean {
  return axis.type !== "integer" && axis.closed !== false;
}

/** The same for an axis of any kind. */
export function hasClosedEnd(axis: Axis): boolean {
  return kindOf(axis)?.isClosed ?? isClosed(axis as OrderedAxis);
}

/**
 * Returns a checked number of bins. @throws ERR_AXIS unless it is a whole number of at least 1; ERR_LIMIT above
 * 65,536.
 */
export function checkedBins(bins: unknown): number {
  if (typeof bins !== "number" || !Number.isInteger(bins) || bins < 1) {
    throw expected("ERR_AXIS", "bins", "a whole number of at least 1", bins);
  }
  if (bins > MAX_BINS) throw expected("ERR_LIMIT", "bins", `at most ${MAX_BINS} bins`, bins);
  return bins;
}

/** Checks the bins of a regular axis. If the caller put the range first, the error shows the right order. */
function regularBins(bins: number, lo: number, hi: number): number {
  try {
    return checkedBins(bins);
  } catch (error) {
    const isBins = Number.isInteger(hi) && hi >= 1 && hi <= MAX_BINS;
    if (!isBins || !(bins < lo)) throw error;
    throw new PolybinError(
      "ERR_AXIS",
      `expected regular(bins, lo, hi) but received ${bins} for bins; did you mean regular(${hi}, ${bins}, ${lo})?`,
    );
  }
}

/** The properties that an axis from outside may have. */
const AXIS_NAMES: { readonly [type in OrderedAxis["type"]]: readonly string[] } = {
  integer: ["type", "bins", "start", "stop"] satisfies (keyof IntegerAxis)[],
  regular: ["type", "bins", "lo", "hi", "closed", "spacing"] satisfies (keyof RegularAxis)[],
  variable: ["type", "bins", "edges", "closed"] satisfies (keyof VariableAxis)[],
};

/** The properties that define an axis, its type first. */
export function namesOf(axis: Axis): readonly string[] {
  return kindOf(axis)?.names ?? AXIS_NAMES[axis.type as OrderedAxis["type"]];
}

/** Checks an axis that came from outside (JSON, another realm) by building it again. @throws ERR_AXIS, ERR_LIMIT */
export function checkedAxis(axis: unknown): Axis {
  if (typeof axis !== "object" || axis === null || !("type" in axis)) {
    throw expected(
      "ERR_AXIS",
      "axis",
      "an axis, such as integer(start, stop) or regular(bins, lo, hi),",
      axis,
    );
  }
  const given = axis as Axis;
  if (made.has(given)) return given;
  const kind = kindOf(given);
  if (kind === undefined && (typeof given.type !== "string" || !Object.hasOwn(AXIS_NAMES, given.type))) {
    const what = "integer, regular, variable, category, boolean or circular";
    throw expected("ERR_AXIS", "axis.type", what, given.type, {
      helps: "import and call the function that creates the axis",
    });
  }
  checkNames(given, namesOf(given), { of: `an axis of type ${given.type}`, code: "ERR_AXIS" });
  const built = kind?.rebuilt(given) ?? rebuilt(given as OrderedAxis);
  if (given.bins !== undefined && given.bins !== built.bins) {
    throw expected(
      "ERR_AXIS",
      "axis.bins",
      `${built.bins}, the number that its other fields give,`,
      given.bins,
    );
  }
  return built;
}

/** Compares two axes that this file created. */
export function isSameAxis(a: Axis, b: Axis): boolean {
  if (a === b) return true;
  if (a.bins !== b.bins || a.type !== b.type) return false;
  const kind = kindOf(a);
  if (kind !== undefined) return kind.isSame(a, b);
  if (a.type === "integer") return b.type === "integer" && a.start === b.start && a.stop === b.stop;
  if (isClosed(a as OrderedAxis) !== isClosed(b as OrderedAxis)) return false;
  if (a.type === "variable") return b.type === "variable" && a.edges.every((edge, i) => edge === b.edges[i]);
  const [{ lo, hi, spacing }, other] = [a, b] as readonly [RegularAxis, RegularAxis];
  return lo === other.lo && hi === other.hi && spacing === other.spacing;
}

function rebuilt(given: OrderedAxis): OrderedAxis {
  if (given.type === "integer") return integer(given.start, given.stop);
  const { closed } = given;
  if (given.type === "variable") return variable(endsFromJson(given.edges), { closed });
  return regularSpaced(given.bins, given.lo, given.hi, given.spacing ?? "f64", { closed });
}

/** JSON writes infinite ends as null. */
function endsFromJson(edges: readonly (number | null)[]): readonly number[] {
  if (!Array.isArray(edges) || (edges[0] !== null && edges.at(-1) !== null)) return edges as number[];
  return edges.map((edge, i) => edge ?? (i === 0 ? -Infinity : i === edges.length - 1 ? Infinity : edge!));
}

/** Splits the whole range of an integer type into `bins` equal bins. One bin per value becomes an integer axis. */
export function wholeRange(type: SampleType, bins: number): OrderedAxis {
  const { min, max, integer: isInteger } = SAMPLE_TRAITS[type];
  if (!isInteger) throw expected("ERR_AXIS", "axis", `a range or edges for ${type} samples`, undefined);
  return max - min + 1 === bins ? integer(min, max + 1) : regular(bins, min, max + 1);
}

/**
 * Returns the bins + 1 edges that samples of `type` are compared with. Edges of a regular axis are NumPy's linspace,
 * rounded to f32 if the samples are f32. Those of a category or boolean axis are 0, 1, …, bins.
 * @throws ERR_AXIS if neighbouring edges are equal in that precision.
 */
export function edgesOf(axis: Axis, type: SampleType): Float64Array {
  const kind = kindOf(axis);
  if (kind !== undefined) return kind.edges(axis);
  return orderedEdges(axis as OrderedAxis, type);
}

function orderedEdges(axis: OrderedAxis, type: SampleType): Float64Array {
  if (axis.type === "variable") return new Float64Array(axis.edges);
  if (axis.type === "integer") return integers(axis);
  const edges = axis.spacing === "f32" ? linspaceF32(axis) : linspace(axis);
  if (type === "f32") for (let i = 0; i < edges.length; i++) edges[i] = Math.fround(edges[i]!);
  if (!Number.isFinite(edges[0]!) || !Number.isFinite(edges[axis.bins]!)) {
    throw new PolybinError(
      "ERR_AXIS",
      `expected a range that f32 samples can reach but [${axis.lo}, ${axis.hi}] rounds to infinity`,
    );
  }
  const steps = edges.subarray(1).map((edge, i) => edge - edges[i]!);
  if (!steps.every((step) => step > 0)) {
    // Bins as wide as the widest of these steps have distinct edges everywhere.
    const most = Math.floor((axis.hi - axis.lo) / (steps.sort().at(-1) || Infinity));
    throw new PolybinError(
      "ERR_AXIS",
      `expected a range wide enough for ${axis.bins} bins of ${type} but [${axis.lo}, ${axis.hi}] does not have ` +
        `that many distinct edges; use a wider range${most ? `, or bins up to ${most}` : ""}`,
    );
  }
  return edges;
}

function integers({ bins, start }: IntegerAxis): Float64Array {
  const edges = new Float64Array(bins + 1);
  for (let i = 0; i <= bins; i++) edges[i] = start + i;
  return edges;
}

function linspace({ bins, lo, hi }: RegularAxis): Float64Array {
  const step = (hi - lo) / bins;
  const edges = new Float64Array(bins + 1);
  for (let i = 0; i < bins; i++) edges[i] = lo + i * step;
  edges[bins] = hi;
  return edges;
}

function linspaceF32({ bins, lo, hi }: RegularAxis): Float64Array {
  const f32 = Math.fround;
  const delta = f32(f32(hi) - f32(lo));
  const step = f32(delta / bins);
  const edges = new Float64Array(bins + 1);
  for (let i = 0; i < bins; i++) edges[i] = f32(f32(i * step) + f32(lo));
  edges[bins] = f32(hi);
  return edges;
}

/**
 * Returns the axis that NumPy uses for data with this finite minimum and maximum. Equal values are widened by 0.5 in
 * each direction. Data without finite values gets [0, 1].
 * @throws ERR_AXIS if the values are so large that no number lies between the ends, or so far apart that their
 * distance is infinite.
 */
export function dataRange(bins: number, type: SampleType, min: number, max: number): RegularAxis {
  if (!(min <= max)) return regularSpaced(bins, 0, 1, "f64");
  const round = type === "f32" ? Math.fround : (x: number) => x;
  const spacing = type === "f32" ? "f32" : "f64";
  const [lo, hi] = min === max ? [round(min - 0.5), round(max + 0.5)] : [min, max];
  if (!(lo < hi) || !Number.isFinite(round(hi - lo))) {
    throw new PolybinError(
      "ERR_AXIS",
      `expected data with a range that ${type} can divide but the data's range is [${min}, ${max}]; give range: [lo, hi]`,
    );
  }
  return regularSpaced(bins, lo, hi, spacing);
}
