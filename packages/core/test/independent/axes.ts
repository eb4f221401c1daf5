import { near, wild } from "./numbers.ts";
import type { Random } from "./random.ts";
import { type AxisSpec, isWhole, type Type, wholeRange } from "./reference.ts";

/** A random axis for samples of a type. A few are refused. */
export function randomAxis(random: Random, type: Type, most: number): AxisSpec {
  if (random.chance(0.02)) return wrongAxis(random);
  if (random.chance(0.1)) return smallAxis(random);
  if (random.chance(0.04)) return spacedAxis(random, Math.min(most, 12));
  if (random.chance(0.04)) return quantileAxis(random, type, most);
  const kind = random.pick([
    "integer",
    "regular",
    "regular",
    "variable",
    "variable",
    "category",
    "boolean",
    "circular",
  ]);
  switch (kind) {
    case "integer":
      return integerAxis(random, type, most);
    case "regular":
      return { kind, bins: binsUpTo(random, most), ...range(random, type), ...end(random) };
    case "variable":
      return { kind, edges: someEdges(random, type, most), ...end(random) };
    case "category":
      return categoryAxis(random, type, most);
    case "boolean":
      return { kind };
    default:
      return circularAxis(random, type, most);
  }
}

/** One of few axes with the same edges, so that an engine that confuses two of them is found. */
function smallAxis(random: Random): AxisSpec {
  const start = random.whole(0, 2);
  const stop = start + random.whole(1, 3);
  const all = random.list(stop - start, (i) => start + i);
  return random.pick<AxisSpec>([
    { kind: "integer", start, stop },
    { kind: "category", values: all },
    { kind: "category", values: [...all].reverse() },
    { kind: "category", values: all.map((i) => `name ${i}`) },
    { kind: "variable", edges: [...all, stop], ...end(random) },
    { kind: "regular", bins: stop - start, lo: start, hi: stop, ...end(random) },
    { kind: "circular", bins: stop - start, lo: start, hi: stop },
    { kind: "boolean" },
  ]);
}

export function binsUpTo(random: Random, most: number): number {
  const some = random.pick([1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 16, 30, 64, 100, 255, 256, 257]);
  const many = random.chance(0.003) ? random.pick([1000, 4097, 32_767, 65_535, 65_536]) : some;
  return Math.min(many, most);
}

const end = (random: Random): { closed?: boolean } =>
  random.pick([{}, {}, { closed: false }, { closed: true }]);

/** Two numbers in ascending order, except that both may be equal. */
export function range(random: Random, type: Type): { lo: number; hi: number } {
  if (random.chance(0.02)) return { lo: Math.abs(typical(random, type)), hi: Number.MAX_VALUE };
  const a = random.pick([() => wild(random), () => typical(random, type)])();
  const b = random.pick([
    () => wild(random),
    () => typical(random, type),
    () => typical(random, type),
    () => near(random, a),
  ])();
  return a < b ? { lo: a, hi: b } : { lo: b, hi: a };
}

/** A number in the middle of what samples of a type are. */
export function typical(random: Random, type: Type): number {
  if (!isWhole(type))
    return random.pick([random.whole(-4, 4), random.whole(-400, 400) / 100, random.part(), -0]);
  const { first, end: last } = wholeRange(type);
  return random.pick([
    Number(first) + random.whole(-1, 5),
    Number(last) - random.whole(-1, 5),
    random.whole(-5, 130),
    Number(first) + random.part() * Number(last - first),
  ]);
}

function integerAxis(random: Random, type: Type, most: number): AxisSpec {
  const safe = (x: number) => Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER - most, x));
  const start = safe(Math.floor(random.pick([wild, (of: Random) => typical(of, type)])(random)));
  return { kind: "integer", start, stop: start + binsUpTo(random, most) };
}

function someEdges(random: Random, type: Type, most: number): number[] {
  const count = binsUpTo(random, Math.min(most, random.chance(0.001) ? 65_536 : 60)) + 1;
  const edges: number[] = [];
  while (edges.length < count) {
    const last = edges.at(-1) ?? 0;
    edges.push(
      random.pick([
        () => wild(random),
        () => typical(random, type),
        () => typical(random, type),
        () => near(random, last),
      ])(),
    );
  }
  if (random.chance(0.05)) edges.push(random.pick([Number.MAX_VALUE, -Number.MAX_VALUE]));
  if (random.chance(0.2)) edges.push(-Infinity);
  if (random.chance(0.2)) edges.push(Infinity);
  const sorted = [...new Set(edges.map((edge) => edge + 0))].sort((x, y) => x - y);
  if (sorted.length < 2) sorted.push(Infinity);
  return sorted.slice(0, most + 1).map((edge) => (edge === 0 && random.chance(0.5) ? -0 : edge));
}

function categoryAxis(random: Random, type: Type, most: number): AxisSpec {
  const count = binsUpTo(random, Math.min(most, 300));
  if (random.chance(0.2)) return { kind: "category", values: random.list(count, (i) => `name ${i}`) };
  const values = new Set<number>();
  const first = Math.floor(typical(random, type));
  for (let i = 0; values.size < count && i < 2 * count; i++) {
    const value = random.pick([
      first + random.whole(0, 2 * count),
      first + i,
      Math.floor(typical(random, type)),
      random.whole(-9, 9),
    ]);
    if (Number.isSafeInteger(value)) values.add(value + 0);
  }
  if (values.size === 0) values.add(0);
  return { kind: "category", values: [...values] };
}

function circularAxis(random: Random, type: Type, most: number): AxisSpec {
  const bins = Math.min(32_767, binsUpTo(random, most));
  const turn = random.pick([1, 2, 7, 24, 60, 86_400, 0.1, 2 * Math.PI, 1e-3, 2 ** 40]);
  const common = random.pick([
    { lo: 0, hi: turn },
    { lo: -turn, hi: turn },
    { lo: 1, hi: 1 + turn },
  ]);
  return { kind: "circular", bins, ...(random.chance(0.6) ? common : range(random, type)) };
}

function quantileAxis(random: Random, type: Type, most: number): AxisSpec {
  const values: number[] = [];
  for (let count = random.pick([0, 1, 2, 3, 5, 10, 30, 80]); count > 0; count--) {
    const last = values.at(-1) ?? 0;
    values.push(
      random.pick([
        () => wild(random),
        () => typical(random, type),
        () => near(random, last),
        () => last,
        () => random.whole(-5, 5),
      ])(),
    );
  }
  const bins = binsUpTo(random, Math.min(most, 20));
  return { kind: "quantiles", bins, values, zeros: random.pick([0, 0, 1, 2, 9]) };
}

const EXPONENTS: readonly number[] = [0.5, 2, 1, 3, 0.1, 1 / 3, -1, -0.5, -2, 0.01, 0.001, 1000, -1000];

function spacedAxis(random: Random, most: number): AxisSpec {
  const typicalEnd = () => random.pick([random.whole(0, 1000), random.part(), 10 ** random.whole(-9, 9)]);
  const ends = random.list(2, () => random.pick([typicalEnd, typicalEnd, () => Math.abs(wild(random))])());
  const [lo, hi] = ends.sort((a, b) => a - b) as [number, number];
  const bins = Math.min(random.whole(1, 12), most);
  if (random.chance(0.4)) return { kind: "log", bins, lo, hi, ...end(random) };
  return {
    kind: "power",
    bins,
    lo: random.chance(0.3) ? 0 : lo,
    hi,
    exponent: random.pick(EXPONENTS),
    ...end(random),
  };
}

/** An axis that cannot be made. */
function wrongAxis(random: Random): AxisSpec {
  return random.pick<AxisSpec>([
    { kind: "integer", start: 3, stop: 3 },
    { kind: "integer", start: 0.5, stop: 3 },
    { kind: "integer", start: 0, stop: 65_537 },
    { kind: "integer", start: 0, stop: 2 ** 53 },
    { kind: "regular", bins: 0, lo: 0, hi: 1 },
    { kind: "regular", bins: 1.5, lo: 0, hi: 1 },
    { kind: "regular", bins: 65_537, lo: 0, hi: 1 },
    { kind: "regular", bins: 4, lo: 1, hi: 0 },
    { kind: "regular", bins: 4, lo: 0, hi: Infinity },
    { kind: "regular", bins: 4, lo: Number.NaN, hi: 1 },
    { kind: "regular", bins: 4, lo: -Number.MAX_VALUE, hi: Number.MAX_VALUE },
    { kind: "regular", bins: 9, lo: 1, hi: 1 + 2 ** -51 },
    { kind: "variable", edges: [1] },
    { kind: "variable", edges: [0, 0, 1] },
    { kind: "variable", edges: [0, Number.NaN, 1] },
    { kind: "variable", edges: [0, Infinity, Infinity] },
    { kind: "category", values: [] },
    { kind: "category", values: [1, 2, 1] },
    { kind: "category", values: [0, -0] },
    { kind: "category", values: ["a", "a"] },
    { kind: "circular", bins: 32_768, lo: 0, hi: 1 },
    { kind: "log", bins: 4, lo: 0, hi: 1 },
    { kind: "log", bins: 9, lo: 1, hi: 1 + 2 ** -51 },
    { kind: "power", bins: 4, lo: 0, hi: 1, exponent: 0 },
    { kind: "power", bins: 4, lo: 0, hi: 1, exponent: -1 },
    { kind: "power", bins: 4, lo: 0, hi: 1, exponent: 1001 },
    { kind: "circular", bins: 4, lo: 0, hi: 0 },
    { kind: "circular", bins: 4, lo: 0, hi: Infinity },
    { kind: "circular", bins: 9, lo: 1, hi: 1 + 2 ** -51 },
  ]);
}
