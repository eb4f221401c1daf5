import { binsUpTo, randomAxis, range, typical } from "./axes.ts";
import type { AxisChoice, Case, Column, Cut, Samples, Weighting } from "./cases.ts";
import { near, putInteger, putNaN, putNear, putRandom, SOME_TYPES, TYPES, wild } from "./numbers.ts";
import { Random } from "./random.ts";
import { binsOf, isWhole, type Layout, type Rule, SIZES, type Type } from "./reference.ts";

/** Returns the case of a seed and a number. */
export function caseOf(seed: number, run: number): Case {
  const random = new Random(seed, run);
  const call = random.pick([
    "histogram",
    "histogram",
    "histogram",
    "histograms",
    "joint",
    "joint",
    "segments",
  ] as const);
  const pixels = lengthOf(random);
  switch (call) {
    case "histogram":
      return histogramCase(random, pixels);
    case "histograms":
      return histogramsCase(random, pixels);
    case "joint":
      return jointCase(random, pixels);
    default:
      return segmentsCase(random, pixels);
  }
}

function lengthOf(random: Random): number {
  const size = random.part();
  if (size < 0.03) return 0;
  if (size < 0.2) return random.whole(1, 4);
  if (size < 0.8) return random.whole(5, 40);
  return size < 0.999 ? random.whole(40, 200) : random.whole(1000, 20_000);
}

const SYNC = ["count", "countSync", "countAll", "accumulate"] as const;

function histogramCase(random: Random, pixels: number): Case {
  const type = random.pick(SOME_TYPES);
  const axis = choiceOf(random, type, 65_536);
  const via = random.pick(["call", "call", "call", "call", "resident", "stream", ...SYNC] as const);
  const samples = samplesOf(random, type, pixels, [axis], via !== "stream");
  const column = { samples, channel: random.whole(0, samples.layout.channels - 1), axis };
  const one: Case = { call: "histogram", via, columns: [column] };
  if (via === "resident") return regrouping(random, { ...one, ...selection(random, pixels) });
  if (via !== "call") return regrouping(random, one);
  const weights = random.chance(0.35) ? { weights: weightsFor(random, pixels) } : {};
  return regrouping(random, { ...one, ...selection(random, pixels), ...weights });
}

/** Joins or cuts the bins of some histograms. Sums would be rounded once more, and groups have no bins in common. */
function regrouping(random: Random, of: Case): Case {
  const [{ axis: choice, samples }] = of.columns as [Column];
  const { axis } = choice;
  const isOrdered = axis === undefined || !["category", "boolean", "circular"].includes(axis.kind);
  if (of.weights !== undefined || of.by !== undefined || !isOrdered || random.chance(0.7)) return of;
  const edges = edgesIn(choice, samples.type);
  const bins = edges.length - 1;
  const divisors = [1, 2, 3, 4, 5, 8, 64].filter((by) => bins % by === 0 || random.chance(0.02));
  const some = () => edges.filter((_, i) => i % 50 === 0 || i === bins || random.chance(0.5));
  const [first, end] = random.list(2, () => random.whole(0, bins)).sort((a, b) => a - b) as [number, number];
  const regroup = random.pick([
    { rebin: random.pick(divisors) },
    { rebin: axis === undefined ? 1 : some() },
    { slice: [first, first === end && !random.chance(0.02) ? end + 1 : end] as const },
  ]);
  return { ...of, regroup };
}

/** The edges of an axis, or numbers for those that the data decide. */
function edgesIn(choice: AxisChoice, type: Type): readonly number[] {
  const { bins = 256 } = choice as { bins?: unknown };
  const guess = Array.from({ length: typeof bins === "number" ? bins + 1 : 4 }, (_, i) => i);
  if (choice.axis === undefined) return guess;
  try {
    return binsOf(choice.axis, type).edges;
  } catch {
    return [0, 1];
  }
}

function histogramsCase(random: Random, pixels: number): Case {
  const type = random.pick(SOME_TYPES);
  const each = random.chance(0.4);
  const axes = random.list(4, () => (each ? axisChoice(random, type, 300) : choiceOf(random, type, 5000)));
  const via = random.pick(["call", "call", "resident", ...(each ? [] : SYNC)] as const);
  const samples = samplesOf(random, type, pixels, each ? axes : [axes[0]!], true);
  const columns = channelsIn(random, samples).map((channel, k) => ({
    samples,
    channel,
    axis: axes[each ? k : 0]!,
  }));
  const one: Case = { call: "histograms", via, columns, each };
  return each || (via !== "call" && via !== "resident") ? one : { ...one, ...selection(random, pixels) };
}

/** Some of the channels of samples, each once. */
function channelsIn(random: Random, { layout }: Samples): number[] {
  const all = random.list(layout.channels, (i) => i);
  for (let i = all.length - 1; i > 0; i--) {
    const other = random.whole(0, i);
    [all[i], all[other]] = [all[other]!, all[i]!];
  }
  return all.slice(0, random.whole(1, all.length));
}

function jointCase(random: Random, pixels: number): Case {
  const count = random.pick([2, 2, 2, 3, 3, 4]);
  const most = { 2: 300, 3: 40, 4: 12 }[count]!;
  const columns: Column[] = [];
  while (columns.length < count) {
    const before = columns.at(-1)?.samples;
    const isShared = before !== undefined && before.layout.channels > 1 && random.chance(0.5);
    const type = isShared ? before.type : random.pick(SOME_TYPES);
    const axis = narrow(choiceOf(random, type, most), type, most);
    const samples = isShared ? before : samplesOf(random, type, pixels, [axis], true);
    columns.push({ samples, channel: random.whole(0, samples.layout.channels - 1), axis });
  }
  // A counter of several columns takes axes only.
  const isKnown = columns.every(({ axis }) => axis.axis !== undefined);
  const via = random.pick([
    "call",
    "call",
    "call",
    "resident",
    ...(isKnown ? (["count", "countAll"] as const) : []),
  ] as const);
  const one: Case = { call: "joint", via, columns };
  const { by, ...which } = selection(random, pixels);
  if (via === "count" || via === "countAll") return { ...one, ...which };
  const weights = via === "call" && random.chance(0.3) ? { weights: weightsFor(random, pixels) } : {};
  return { ...one, ...which, ...(by === undefined ? {} : { by }), ...weights };
}

/** Axes whose cells a device may need more of than they have bins would be refused next to others. */
function narrow(choice: AxisChoice, type: Type, most: number): AxisChoice {
  const { axis } = choice;
  const isShort = SIZES[type] <= 2;
  if (axis === undefined || !isShort) return choice;
  const isMany = axis.kind === "circular" || axis.kind === "category" || type === "f16";
  if (!isMany || most > 100)
    return axis?.kind === "circular" ? { bins: Math.min(most, 20), range: [0, 9] } : choice;
  return { bins: Math.min(most, 20), range: [0, 9] };
}

function segmentsCase(random: Random, pixels: number): Case {
  const type = random.pick(SOME_TYPES);
  const axis = choiceOf(random, type, 300);
  const via = random.pick(["call", "call", "resident"] as const);
  const samples = samplesOf(random, type, pixels, [axis], true);
  const column = { samples, channel: random.whole(0, samples.layout.channels - 1), axis };
  const one: Case = { call: "segments", via, columns: [column], cut: cutOf(random, samples, pixels, via) };
  return random.chance(0.2) ? { ...one, leave: true } : one;
}

function cutOf(random: Random, { layout }: Samples, pixels: number, via: string): Cut {
  if (layout.width !== undefined && via === "call" && random.chance(0.5)) {
    return { tiles: { width: random.whole(1, 9), height: random.whole(1, 9) } };
  }
  if (random.chance(0.5)) return { every: random.pick([1, 2, 3, 7, 16, 64, 1000, Math.max(1, pixels)]) };
  const offsets = random.list(random.whole(1, 9), () => random.whole(0, pixels)).sort((a, b) => a - b);
  return { offsets };
}

function choiceOf(random: Random, type: Type, most: number): AxisChoice {
  if (random.chance(0.7)) return axisChoice(random, type, most);
  // A rule may pick more bins than cells of several columns have room for.
  const bins = most > 1000 && random.chance(0.15) ? random.pick(RULES) : binsUpTo(random, most);
  const { lo, hi } = range(random, type);
  const whole = isWhole(type) || random.chance(0.1);
  const ranges = [undefined, "data", [lo, hi], ...(whole ? ["type"] : [])] as const;
  const some = random.pick([{ bins }, { bins }, most >= 256 ? {} : { bins }]);
  const chosen = random.pick<(typeof ranges)[number]>(ranges) as
    | "data"
    | "type"
    | [number, number]
    | undefined;
  return chosen === undefined ? some : { ...some, range: chosen };
}

const RULES: readonly Rule[] = ["auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"];

const axisChoice = (random: Random, type: Type, most: number): AxisChoice => ({
  axis: randomAxis(random, type, most),
});

/** Samples on and next to the edges of axes, and of every other kind. */
function samplesOf(
  random: Random,
  type: Type,
  pixels: number,
  axes: readonly AxisChoice[],
  mayLayOut: boolean,
): Samples {
  const layout = layoutFor(random, SIZES[type], pixels, mayLayOut);
  const length = bytesOf(layout, SIZES[type], pixels);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const marks = axes.flatMap((axis) => marksOf(axis, type));
  const even = random.pick(["any", "any", "marks", "bits", "few"] as const);
  const few = random.list(3, () => (marks.length > 0 ? random.pick(marks) : wild(random)));
  for (let at = 0; at + SIZES[type] <= length; at += SIZES[type]) {
    const mix = even === "any" ? random.part() : { marks: 0.2, bits: 0.9, few: 0.5 }[even];
    if (mix < 0.45 && marks.length > 0) putNear(random, view, at, type, random.pick(marks));
    else if (mix < 0.55) putNear(random, view, at, type, random.pick(few));
    else if (mix < 0.75) putNear(random, view, at, type, typical(random, type));
    else if (mix < 0.8) putNear(random, view, at, type, random.pick([0, -0, Infinity, -Infinity]));
    else if (mix < 0.84) putNaN(random, view, at, type);
    else if (mix < 0.88) putNear(random, view, at, type, wild(random));
    else putRandom(random, view, at, type);
  }
  const isPlain = layout.channels === 1 && layout.width === undefined;
  const forms = [
    "array",
    "array",
    "bytes",
    ...(type === "f64" && isPlain ? (["numbers"] as const) : []),
  ] as const;
  return { type, bytes, layout, form: type === "f16" ? "bytes" : random.pick(forms) };
}

/** Some of the edges of an axis, or numbers of its turn. */
function marksOf({ axis, ...choice }: AxisChoice, type: Type): readonly number[] {
  if (axis === undefined) {
    const { range: ends } = choice as { range?: unknown };
    return Array.isArray(ends) ? (ends as number[]) : [];
  }
  if (axis.kind === "category" && typeof axis.values[0] === "number") return axis.values as number[];
  try {
    const { edges } = binsOf(axis, type);
    if (axis.kind !== "circular") return edges.length <= 300 ? edges : edges.filter((_, i) => i % 97 < 2);
    const period = axis.hi - axis.lo;
    const turns = edges
      .slice(0, 50)
      .flatMap((edge) => [edge, edge + period, edge - period, edge + 7 * period]);
    return turns.filter(Number.isFinite);
  } catch {
    return [];
  }
}

function layoutFor(random: Random, size: number, pixels: number, mayLayOut: boolean): Layout {
  if (!mayLayOut || random.chance(0.55)) return { channels: 1 };
  const channels = random.whole(1, 4);
  if (random.chance(0.4)) return { channels };
  const across = random.pick([1, 2, 3, 4, 5, 7, 10].filter((n) => pixels % n === 0));
  const region = { width: across, height: pixels / across };
  const isWhole = random.chance(0.4);
  const x = isWhole ? 0 : random.whole(0, 3);
  const y = isWhole ? 0 : random.whole(0, 2);
  const width = isWhole ? region.width : x + region.width + random.whole(0, 3);
  const height = isWhole ? region.height : y + region.height + random.whole(0, 2);
  const rowPitch = width * channels * size + random.pick([0, 0, 1, 4, 8]) * random.pick([1, size]);
  return { channels, width, height, rowPitch, ...(isWhole ? {} : { region: { x, y, ...region } }) };
}

function bytesOf({ channels, width, height, rowPitch }: Layout, size: number, pixels: number): number {
  if (width === undefined) return pixels * channels * size;
  return height === 0 ? 0 : (height! - 1) * rowPitch! + width * channels * size;
}

/** A mask, a list, or groups, each now and then. */
function selection(random: Random, pixels: number): Pick<Case, "mask" | "where" | "by"> {
  if (random.chance(0.6)) return {};
  const of: { -readonly [K in "mask" | "where" | "by"]?: Case[K] } = {};
  if (random.chance(0.5)) {
    const as = random.pick(["bytes", "bits"] as const);
    const bytes = Uint8Array.from({ length: as === "bits" ? Math.ceil(pixels / 8) : pixels }, () =>
      random.chance(0.5) ? 0 : random.whole(0, 255),
    );
    of.mask = { as, bytes };
  }
  if (random.chance(0.4) && pixels > 0)
    of.where = random.list(random.whole(0, 60), () => random.whole(0, pixels - 1));
  if (random.chance(0.4)) of.by = groupsFor(random, pixels);
  return of as Pick<Case, "mask" | "where" | "by">;
}

function groupsFor(random: Random, pixels: number): NonNullable<Case["by"]> {
  const type = random.pick(TYPES.filter(isWhole));
  const groups = random.pick([1, 2, 3, 5, 9]);
  const bytes = new Uint8Array(pixels * SIZES[type]);
  const view = new DataView(bytes.buffer);
  const isWrong = random.chance(0.03);
  for (let i = 0; i < pixels; i++) {
    const code =
      isWrong && random.chance(0.1)
        ? random.pick([groups, type.startsWith("i") ? -1 : 127])
        : random.whole(0, groups - 1);
    putInteger(view, i * SIZES[type], type, BigInt(code));
  }
  return { codes: { type, bytes, layout: { channels: 1 }, form: "array" }, groups };
}

function weightsFor(random: Random, pixels: number): Weighting {
  const style = random.pick(["whole", "whole", "float", "float", "near", "wild", "least", "most"] as const);
  const one = (): number => {
    switch (style) {
      case "whole":
        return random.whole(-5, 20);
      case "float":
        return random.part() - 0.25;
      case "near":
        return near(random, random.pick([1, -1, 2 ** 53, 2 ** -24, 0]));
      case "wild":
        return random.part() * 2 ** random.whole(-500, 500) * random.pick([1, -1]);
      case "least":
        return random.whole(-9, 9) * Number.MIN_VALUE;
      default:
        return random.pick([Number.MAX_VALUE, 3.4e38, 1e300, -1e300, 1, -Number.MAX_VALUE]);
    }
  };
  const isWrong = random.chance(0.01);
  const values = random.list(isWrong && random.chance(0.5) ? pixels + 1 : pixels, one);
  if (isWrong && values.length > 0)
    values[random.whole(0, values.length - 1)] = random.pick([Number.NaN, Infinity, -Infinity]);
  const precision = random.chance(0.15) && (style === "whole" || style === "float") ? "fast" : "reproducible";
  const squares =
    precision === "reproducible" && random.chance(style === "whole" || style === "float" ? 0.4 : 0.1);
  return { values, as: random.pick(["f32", "f64", "numbers"] as const), squares, precision };
}
