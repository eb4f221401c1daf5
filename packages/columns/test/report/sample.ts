import type { ColumnJson, HistogramJson, JointJson, ProfileJson } from "../../src/profile/json.ts";
import type { LogicalType } from "../../src/table/index.ts";

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Value = number | boolean | string | null;

const BINS = 128;
const PROBABILITIES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/** The profile of a column that lies in memory, computed plainly. */
export function columnOf(
  name: string,
  type: string,
  logical: LogicalType,
  values: readonly Value[],
): ColumnJson {
  const held = values.filter((value) => value !== null);
  const numbers = held.filter((value) => typeof value !== "string").map(Number);
  const finite = numbers.filter(Number.isFinite).sort((a, b) => a - b);
  const isText = logical.kind === "string";
  const counts = new Map<string | number | boolean, number>();
  for (const value of held.filter((value) => !Number.isNaN(value)))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  const top = [...counts].sort((a, b) => b[1] - a[1]);
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
  const deviation = Math.sqrt(finite.reduce((sum, value) => sum + (value - mean) ** 2, 0) / finite.length);
  const strings = held.filter((value) => typeof value === "string").sort();
  const ends = isText ? [strings[0], strings.at(-1)] : [finite[0], finite.at(-1)];
  const count = (test: (value: number) => boolean): number => numbers.filter(test).length;
  const { whole, core } = histogramsOf(finite, logical);
  return {
    name,
    type,
    logical,
    unit: null,
    rows: values.length,
    nulls: values.length - held.length,
    nan: count(Number.isNaN),
    infinite: {
      negative: count((value) => value === -Infinity),
      positive: count((value) => value === Infinity),
    },
    distinct:
      counts.size > 1000
        ? { value: 1001, exact: false, atLeast: 1001, standardError: 0.008 }
        : { value: counts.size, exact: true },
    min: ends[0] ?? null,
    max: ends[1] ?? null,
    mean: finite.length > 0 ? mean : null,
    stddev: Number.isFinite(deviation) ? deviation : null,
    ...(isText && strings.length > 0 ? { lengths: lengthsOf(strings) } : {}),
    quantiles: finite.length > 0 ? quantilesOf(finite) : [],
    histogram: isText ? null : whole,
    ...(core === null ? {} : { core }),
    top:
      counts.size > 1000
        ? []
        : top.slice(0, 20).map(([value, times]) => ({
            value: typeof value === "number" && !Number.isFinite(value) ? String(value) : value,
            count: times,
          })),
    topExact: counts.size <= 1000,
    topBound: counts.size > 1000 ? Math.ceil(held.length / 1024) : 0,
  };
}

function lengthsOf(strings: readonly string[]) {
  const all = strings.map(({ length }) => length);
  const mean = all.reduce((sum, length) => sum + length, 0) / all.length;
  const max = all.reduce((a, b) => Math.max(a, b));
  const counts = Array.from(
    { length: Math.min(max + 1, 256) },
    (_, i) => all.filter((length) => length === i).length,
  );
  return { min: all.reduce((a, b) => Math.min(a, b)), mean, max, counts };
}

function quantilesOf(sorted: readonly number[]): ColumnJson["quantiles"] {
  const at = (p: number): number => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]!;
  const width = (sorted.at(-1)! - sorted[0]!) / BINS / 8;
  return PROBABILITIES.map((p) => {
    const value = at(p);
    return { p, exact: width === 0, value, low: value - width, high: value + width };
  });
}

function histogramsOf(sorted: readonly number[], { kind }: LogicalType) {
  if (sorted.length === 0) return { whole: null, core: null };
  const [lo, hi] = [sorted[0]!, sorted.at(-1)!];
  if (kind === "boolean") return { whole: histogramOf(sorted, "boolean", [0, 1, 2]), core: null };
  const [low, high] = [0.01, 0.99].map((p) => sorted[Math.floor(p * (sorted.length - 1))]!) as [
    number,
    number,
  ];
  const isWide = high > low && hi - lo > 10 * (high - low);
  return {
    whole: histogramOf(sorted, "regular", edgesOf(lo, hi)),
    core: isWide ? histogramOf(sorted, "regular", edgesOf(low, high)) : null,
  };
}

function edgesOf(lo: number, hi: number, bins: number = BINS): number[] {
  const [from, to] = lo < hi ? [lo, hi] : [lo - 0.5, lo + 0.5];
  return Array.from({ length: bins + 1 }, (_, i) => from + (i * (to - from)) / bins);
}

function histogramOf(values: readonly number[], type: string, edges: readonly number[]): HistogramJson {
  const bins = edges.length - 1;
  const [lo, hi] = [edges[0]!, edges.at(-1)!];
  const counts = new Array<number>(bins).fill(0);
  let [underflow, overflow] = [0, 0];
  for (const value of values) {
    if (value < lo) underflow += 1;
    else if (value > hi) overflow += 1;
    else counts[binOf(value, lo, hi, bins)]! += 1;
  }
  return { type, edges, counts, underflow, overflow, nan: 0 };
}

const binOf = (value: number, lo: number, hi: number, bins: number): number =>
  Math.min(bins - 1, Math.floor(((value - lo) / (hi - lo)) * bins));

function jointOf(
  names: readonly [string, string],
  x: readonly Value[],
  y: readonly Value[],
  bins = 48,
): JointJson {
  const sides = [x, y].map((values) => {
    const held = values
      .filter((value) => value !== null)
      .map(Number)
      .sort((a, b) => a - b);
    return edgesOf(held[Math.floor(held.length * 0.005)]!, held[Math.floor(held.length * 0.995)]!, bins);
  }) as [number[], number[]];
  const counts = new Array<number>(bins * bins).fill(0);
  let [outside, nulls] = [0, 0];
  for (const [i, value] of x.entries()) {
    const pair = [value, y[i] ?? null] as const;
    if (pair.includes(null)) nulls += 1;
    else if (pair.some((of, k) => Number(of) < sides[k]![0]! || Number(of) > sides[k]!.at(-1)!)) outside += 1;
    else {
      const [row, column] = pair.map((of, k) =>
        binOf(Number(of), sides[k]![0]!, sides[k]!.at(-1)!, bins),
      ) as [number, number];
      counts[row * bins + column]! += 1;
    }
  }
  const axes = sides.map((edges) => ({ type: "regular", edges })) as unknown as JointJson["axes"];
  return { columns: names, axes, shape: [bins, bins], counts, outside, nulls };
}

export function profileOf(
  columns: readonly ColumnJson[],
  joint: readonly JointJson[] = [],
  name = "trips.csv",
): ProfileJson {
  const rows = columns[0]?.rows ?? 0;
  return {
    version: 1,
    files: [{ name, format: "csv", rows, bytes: rows * 93 }],
    rows,
    columns,
    joint,
    backend: "cpu",
    device: "one thread",
    passes: 2,
    timings: { totalMs: 1234, passMs: [600, 634] },
  };
}

/** Trips like those of the taxis of a large city. */
export function trips(rows: number): ProfileJson {
  const next = random(7);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const made = Array.from({ length: rows }, () => {
    const day = Math.floor(next() * 28);
    const hour = Math.min(23.99, Math.max(0, next() < 0.6 ? 18 + 3 * normal() : 10 + 4 * normal()));
    const distance = Math.exp(0.6 + 0.8 * normal());
    const minutes = distance * (3 + next() * 3) + 2;
    const fare = Math.round((3 + 2.5 * distance + 0.5 * minutes) * 2) / 2;
    const isCard = next() < 0.72;
    return {
      day,
      hour,
      distance,
      minutes,
      fare,
      isCard,
      tip: isCard ? fare * 0.2 * next() : 0,
      roll: next(),
    };
  });
  const start = Date.UTC(2024, 0, 1) * 1000;
  const pickup = made.map(({ day, hour }) => start + Math.floor((day * 24 + hour) * 3600) * 1e6);
  const number = (type: string): LogicalType => ({ kind: "number", type }) as LogicalType;
  const timestamp: LogicalType = { kind: "timestamp", unit: "us", timezone: null };
  const decimal: LogicalType = { kind: "decimal", scale: 2, precision: 12 };
  const column = (
    name: string,
    type: string,
    logical: LogicalType,
    of: (trip: (typeof made)[number], i: number) => Value,
  ): ColumnJson => columnOf(name, type, logical, made.map(of));
  const zones = [
    "Midtown Center",
    "Upper East Side South",
    "JFK Airport",
    "Penn Station / Madison Sq West",
    "East Village",
    "LaGuardia Airport",
    "Times Sq / Theatre District",
    "Lincoln Square East",
    "Murray Hill",
    "Unknown",
  ];
  const distance = made.map(({ distance }, i) => (i === 99 ? 8796.3 : Math.round(distance * 100) / 100));
  const fare = made.map(({ fare }, i) => (i === 98 ? 39_900 : Math.round(fare * 100)));
  const columns = [
    column("vendor", "i32", number("i32"), ({ roll }) => (roll < 0.7 ? 2 : 1)),
    column("pickup", "timestamp[us]", timestamp, (_, i) => pickup[i]!),
    column(
      "dropoff",
      "timestamp[us]",
      timestamp,
      ({ minutes }, i) => pickup[i]! + Math.round(minutes * 60) * 1e6,
    ),
    column("passengers", "i64", number("i64"), ({ roll }) =>
      roll < 0.05 ? null : 1 + Math.floor(5 * roll ** 6),
    ),
    columnOf("distance", "f64", number("f64"), distance),
    column(
      "zone",
      "string",
      { kind: "string" },
      ({ distance, roll }) => zones[Math.floor((distance * 3.3 + roll * 4) % 10)]!,
    ),
    column("stored", "boolean", { kind: "boolean" }, ({ roll }) => (roll < 0.05 ? null : roll > 0.97)),
    column("payment", "string", { kind: "string" }, ({ isCard, roll }) =>
      isCard ? "card" : roll < 0.9 ? "cash" : "dispute",
    ),
    columnOf("fare", "decimal(12, 2)", decimal, fare),
    column("tip", "f64", number("f64"), ({ tip, roll }) =>
      roll < 0.001 ? Number.NaN : Math.round(tip * 100) / 100,
    ),
    column("tax", "f64", number("f64"), () => 0.5),
    column("airport_fee", "f64", number("f64"), ({ roll }) => (roll < 0.42 ? null : roll > 0.9 ? 1.75 : 0)),
    column("day", "date", { kind: "date", unit: "day" }, ({ day }) => 19_723 + day),
    column("pickup_time", "time[s]", { kind: "time", unit: "s" }, ({ hour }) => Math.floor(hour * 3600)),
    column("speed", "f32", number("f32"), ({ distance, minutes }, i) =>
      i % 900 === 5 ? Infinity : distance / (minutes / 60),
    ),
    column("note", "string", { kind: "string" }, () => null),
    columnOf(
      "trip_id",
      "u64",
      number("u64"),
      made.map((_, i) => 1_000_000 + i),
    ),
  ];
  return profileOf(columns, [
    jointOf(["distance", "fare"], distance, fare),
    jointOf(
      ["pickup_time", "speed"],
      made.map(({ hour }) => Math.floor(hour * 3600)),
      made.map(({ distance, minutes }) => distance / (minutes / 60)),
    ),
  ]);
}
