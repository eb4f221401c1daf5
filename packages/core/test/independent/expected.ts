import { type AxisChoice, type Case, type Column, pixelsOf, type Regrouping } from "./cases.ts";
import {
  type AxisSpec,
  axisOfData,
  axisOfType,
  type Bins,
  below,
  binsBetween,
  binsByRule,
  binsOf,
  type Counted,
  count,
  isWhole,
  nearest,
  Refusal,
  type Rule,
  SIZES,
  type Type,
  type Value,
  valuesIn,
  wholeRange,
} from "./reference.ts";

/** One histogram of an answer. */
export interface Part {
  readonly edges: readonly (readonly number[])[];
  /** Codes of each axis: its bins and three flow cells. */
  readonly extents: readonly number[];
  readonly counted: Counted;
}

/** Reasons to refuse a call. */
export interface Refused {
  readonly refusals: readonly Refusal[];
}

export interface Expected {
  readonly parts: readonly Part[];
  /** The reasons for which polybin may refuse the call, although it could answer. */
  readonly mayRefuse: readonly Refusal[];
  readonly largestWeight: number;
}

const WIDE: readonly Type[] = ["u32", "i32", "f32", "f64", "i64", "u64"];

/** Returns what polybin must answer, or the codes with which it may refuse. */
export function expectedOf(of: Case): Expected | Refused {
  const pixels = pixelsOf(of.columns[0]!.samples, SIZES);
  const values = of.columns.map(({ samples: { bytes, type, layout }, channel }) =>
    valuesIn(bytes, type, layout, channel),
  );
  const all = of.where ?? Array.from({ length: pixels }, (_, i) => i);
  const mask = maskOf(of);
  // If several things are wrong, any of them may be named.
  const refusals: Refusal[] = [];
  const counted = of.columns.map((_, k) => attempt(refusals, () => axisOf(of, k, values)));
  const axes = counted.map((axis) => axis && attempt(refusals, () => regrouped(axis, of)));
  attempt(refusals, () => checkSupport(of));
  const weights = of.weights === undefined ? null : attempt(refusals, () => weightsOf(of));
  const groups = attempt(refusals, () => groupsOf(of, all, mask));
  const mayRefuse = reasonsOf(of, counted);
  if (refusals.length > 0) {
    const sums = weights !== null && isFar(weights) ? [new Refusal("ERR_LIMIT", "finite sums")] : [];
    return { refusals: [...refusals, ...sums, ...mayRefuse] };
  }
  const columns = axes.map((axis, k) => ({
    axis: axis!,
    extent: axis!.bins + 3,
    codes: values[k]!.map((value) => axis!.code(value)),
  }));
  const over = (which: typeof columns, samples: Iterable<number>): Part => ({
    edges: which.map(({ axis }) => axis.edges),
    extents: which.map(({ extent }) => extent),
    counted: count({ columns: which, samples, mask, weights }),
  });
  const grouped = groups === null ? [] : [groups];
  const parts =
    of.call === "segments"
      ? segmentsOf(of, pixels).map((samples) => over(columns, samples))
      : of.call === "histograms"
        ? columns.map((column) => over([...grouped, column], all))
        : [over([...grouped, ...columns], all)];
  if (weights !== null) attempt(refusals, () => checkSums(of, parts));
  if (refusals.length > 0) return { refusals };
  const largestWeight = weights === null ? 0 : weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
  return { parts, largestWeight, mayRefuse };
}

function attempt<T>(refusals: Refusal[], make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusals.push(error);
    return null;
  }
}

/** The axis of a column. `histograms` has one for all of them, unless each has its own. */
function axisOf(of: Case, k: number, values: readonly (readonly Value[])[]): Bins {
  const isShared = of.call === "histograms" && of.each !== true;
  const { axis: choice, samples } = of.columns[isShared ? 0 : k]!;
  if (choice.axis !== undefined) return binsOf(choice.axis, samples.type);
  const all = isShared ? values.flat() : values[k]!;
  return binsOf(axisFrom(choice, samples.type, all, of), samples.type);
}

const regrouped = (axis: Bins, { regroup }: Case): Bins =>
  regroup === undefined ? axis : binsBetween(axis, cutsOf(regroup, axis));

/** The indices of the edges that stay. @throws Refusal */
function cutsOf(regroup: Regrouping, { bins, edges }: Bins): number[] {
  const every = (first: number, end: number, step: number) =>
    Array.from({ length: (end - first) / step + 1 }, (_, i) => first + i * step);
  if ("slice" in regroup) {
    const [first, end] = regroup.slice;
    if (first >= end || end > bins) throw new Refusal("ERR_INPUT", "a range of bins");
    return every(first, end, 1);
  }
  const { rebin } = regroup;
  if (typeof rebin !== "number") return rebin.map((edge) => edges.indexOf(edge));
  if (bins % rebin !== 0) throw new Refusal("ERR_INPUT", "a factor of the bins");
  return every(0, bins, rebin);
}

function axisFrom(
  { bins = 256, range }: Extract<AxisChoice, { axis?: undefined }>,
  type: Type,
  values: readonly Value[],
  { via, weights }: Case,
): AxisSpec {
  const isRule = typeof bins === "string";
  if (isRule && weights !== undefined) throw new Refusal("ERR_UNSUPPORTED", "a rule with weights");
  // The data must be there before the call counts it.
  const isKnown = via === "call" || via === "resident";
  if (isRule) {
    if (!isKnown) throw new Refusal("ERR_AXIS", "a number of bins beforehand");
    return axisByRule(bins, range ?? "data", type, values);
  }
  if (Array.isArray(range)) return { kind: "regular", bins, lo: range[0], hi: range[1] };
  if (range === "type" || (range === undefined && isWhole(type) && SIZES[type] <= 2))
    return axisOfType(type, bins);
  if (!isKnown) throw new Refusal("ERR_AXIS", "an axis beforehand");
  return axisOfData(type, bins, values);
}

/** Thrown for a case that the reference cannot judge. */
export class Unjudged extends Error {}

function axisByRule(
  rule: Rule,
  range: readonly [number, number] | "data" | "type",
  type: Type,
  values: readonly Value[],
): AxisSpec {
  if (range === "type" && !isWhole(type))
    throw new Refusal("ERR_INPUT", "floats have no range of their type");
  const one = range === "data" ? axisOfData(type, 1, values) : range;
  const [lo, hi] =
    one === "type"
      ? [Number(wholeRange(type).first), Number(wholeRange(type).end)]
      : "lo" in one
        ? [one.lo, one.hi]
        : (one as readonly [number, number]);
  binsOf({ kind: "regular", bins: 1, lo, hi }, "f64");
  const inside = values.map(below).filter((value) => value >= lo && value <= hi);
  const bins = binsByRule(rule, inside, hi - lo, type);
  if (bins === null) throw new Unjudged();
  return range === "data" ? axisOfData(type, bins, values) : { kind: "regular", bins, lo, hi };
}

/** Refusals for what a call cannot do. */
function checkSupport({ call, each, columns }: Case): void {
  const kinds = columns.map(({ axis }) => axis.axis);
  const types = columns.map(({ samples }) => samples.type);
  const isTurned = (k: number) => kinds[k]?.kind === "circular" && WIDE.includes(types[k]!);
  if (call === "histograms" && each === true) {
    if (types[0]!.endsWith("64") && isWhole(types[0]!))
      throw new Refusal("ERR_UNSUPPORTED", "64-bit integers");
    if (kinds.some((_, k) => isTurned(k))) throw new Refusal("ERR_UNSUPPORTED", "a wide circle");
  }
}

/** Reasons to refuse what a device may or may not be able to do. */
function reasonsOf(of: Case, axes: readonly (Bins | null)[]): Refusal[] {
  const reasons: Refusal[] = [];
  if (mayHaveLost(of, axes))
    reasons.push(new Refusal("ERR_UNSUPPORTED", "a resident has lost the lower bits"));
  // A circle over 16 bits takes up to 65,536 intervals, which share the bins of a device with other axes.
  const isTurned = ({ axis: { axis }, samples }: Column) =>
    axis?.kind === "circular" && SIZES[samples.type] === 2;
  if (of.each === true && of.columns.some(isTurned))
    reasons.push(new Refusal("ERR_LIMIT", "bins of a device"));
  return reasons;
}

/** Whether a resident of 64-bit integers may have lost what an axis asks for. It may be lucky: then it must be right. */
function mayHaveLost({ via, columns }: Case, axes: readonly (Bins | null)[]): boolean {
  if (via !== "resident") return false;
  return columns.some(({ axis: { axis }, samples: { type } }, k) => {
    if (!isWhole(type) || SIZES[type] !== 8) return false;
    const isClosed = axis === undefined || !("closed" in axis && axis.closed === false);
    const hasEnd =
      axis === undefined || ["regular", "variable", "log", "power", "quantiles"].includes(axis.kind);
    // The range of data that no double can divide ends anywhere.
    const end = axes[k]?.edges.at(-1) ?? (axis === undefined ? Infinity : 0);
    return axis?.kind === "circular" || (hasEnd && isClosed && Math.abs(end) >= 2 ** 53);
  });
}

/** The weights as doubles. @throws Refusal */
function weightsOf({ weights, columns }: Case): readonly number[] {
  const { values, as, squares } = weights!;
  if (values.length !== pixelsOf(columns[0]!.samples, SIZES))
    throw new Refusal("ERR_INPUT", "a weight per sample");
  if (!values.every(Number.isFinite)) throw new Refusal("ERR_INPUT", "finite weights");
  const own = as === "f32" ? values.map(Math.fround) : values;
  if (!own.every(Number.isFinite)) throw new Refusal("ERR_INPUT", "finite weights");
  const isGood = (square: number) => square >= 2 ** -1022 && Number.isFinite(square);
  if (squares && as !== "f32" && !own.every((w) => w === 0 || isGood(w * w))) {
    throw new Refusal("ERR_LIMIT", "squares that doubles hold");
  }
  return own;
}

/** Whether no double may hold the sum of some of the weights. */
const isFar = (weights: readonly number[]): boolean =>
  !Number.isFinite(weights.reduce((sum, w) => sum + Math.abs(w), 0));

/** @throws Refusal if a double holds none of the sums */
function checkSums({ weights }: Case, parts: readonly Part[]): void {
  for (const { counted } of parts) {
    for (const { sum, squares } of counted.cells.values()) {
      const sums = weights!.squares ? [sum, squares] : [sum];
      if (!sums.every((of) => Number.isFinite(nearest(of)))) throw new Refusal("ERR_LIMIT", "finite sums");
    }
  }
}

function maskOf({ mask }: Case): ((sample: number) => boolean) | null {
  if (mask === undefined) return null;
  const { as, bytes } = mask;
  return as === "bytes"
    ? (sample) => bytes[sample] !== 0
    : (sample) => Math.floor(bytes[Math.floor(sample / 8)]! / 2 ** (sample % 8)) % 2 === 1;
}

/** The groups as the first axis. @throws Refusal for a counted sample outside them */
function groupsOf({ by }: Case, samples: readonly number[], mask: ((sample: number) => boolean) | null) {
  if (by === undefined) return null;
  const { codes: of, groups } = by;
  const codes = valuesIn(of.bytes, of.type, of.layout, 0).map(Number);
  for (const sample of samples) {
    const isCounted = mask === null || mask(sample);
    const code = codes[sample]!;
    if (isCounted && !(code >= 0 && code < groups))
      throw new Refusal("ERR_INPUT", "a code outside the groups");
  }
  const edges = Array.from({ length: groups + 1 }, (_, i) => i);
  return { axis: { bins: groups, edges, code: Number }, extent: groups + 3, codes };
}

/** The samples of each segment. */
function segmentsOf({ cut, columns }: Case, pixels: number): number[][] {
  const run = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  if ("every" in cut!) {
    const { every } = cut;
    return run(0, Math.ceil(pixels / every)).map((i) => run(i * every, Math.min(pixels, (i + 1) * every)));
  }
  if ("offsets" in cut!) return cut.offsets.slice(1).map((end, i) => run(cut.offsets[i]!, end));
  const { width: across, height: down } = cut!.tiles;
  const { layout } = columns[0]!.samples;
  const { width, height } = layout.region ?? { width: layout.width!, height: layout.height! };
  return run(0, Math.ceil(height / down)).flatMap((row) =>
    run(0, Math.ceil(width / across)).map((column) =>
      run(row * down, Math.min(height, (row + 1) * down)).flatMap((y) =>
        run(column * across, Math.min(width, (column + 1) * across)).map((x) => y * width + x),
      ),
    ),
  );
}
