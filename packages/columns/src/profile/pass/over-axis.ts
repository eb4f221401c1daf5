import { type Axis, variable } from "@polybin/core";
import type { End, LogicalType, TimeUnit } from "../../table/index.ts";
import { MOST_OVER } from "../limits.ts";
import { momentKindOf, type OverStep } from "../partial/plan.ts";

/** Bins in round units, and their width. */
export interface OverAxis {
  readonly axis: Axis;
  readonly step: OverStep;
}

const PER_SECOND: Readonly<Record<TimeUnit, bigint>> = {
  s: 1n,
  ms: 1000n,
  us: 1_000_000n,
  ns: 1_000_000_000n,
};
const DAY = 86_400n;
/** Steps of one length, in seconds. */
const STEPS: readonly (readonly [seconds: bigint, step: OverStep])[] = [
  [1n, { every: 1, unit: "second" }],
  [5n, { every: 5, unit: "second" }],
  [15n, { every: 15, unit: "second" }],
  [30n, { every: 30, unit: "second" }],
  [60n, { every: 1, unit: "minute" }],
  [300n, { every: 5, unit: "minute" }],
  [900n, { every: 15, unit: "minute" }],
  [1800n, { every: 30, unit: "minute" }],
  [3600n, { every: 1, unit: "hour" }],
  [10_800n, { every: 3, unit: "hour" }],
  [21_600n, { every: 6, unit: "hour" }],
  [DAY, { every: 1, unit: "day" }],
  [7n * DAY, { every: 1, unit: "week" }],
];
/** 1970-01-01 is a Thursday, three days after a Monday. */
const MONDAY = -3n * DAY;
const MONTHS = 12;
/** Round numbers are these times a power of ten. */
const ROUND = [1, 2, 5];
/** The power of ten of the smallest double, and of the largest one. */
const EXPONENTS = [-323, 308] as const;
/** The largest distance from 1970 that a Date holds, in milliseconds. */
const MOST_MS = 8.64e15;

/** Whether other columns can be averaged over a column: times and numbers. */
export function isOverable({ kind }: LogicalType): boolean {
  return (
    kind === "timestamp" || kind === "date" || kind === "time" || kind === "number" || kind === "decimal"
  );
}

/**
 * Returns at most MOST_OVER bins from the smallest to the largest value: of the narrowest step that needs no more. Times have
 * steps of the calendar, in UTC, and weeks begin on Monday. Null if the range is wider than any number.
 */
export function overAxisOf(logical: LogicalType, min: End, max: End): OverAxis | null {
  const second = unitsPerSecond(logical);
  if (second === null) return numberAxis(logical, min, max);
  const [lo, hi] = [BigInt(min), BigInt(max)];
  return fixedAxis(second, lo, hi) ?? calendarAxis(second, lo, hi) ?? numberAxis(logical, min, max);
}

/** The units of stored times in a second, as a fraction. Null for plain numbers. */
function unitsPerSecond(logical: LogicalType): { readonly of: bigint; readonly per: bigint } | null {
  if (logical.kind === "timestamp" || logical.kind === "time")
    return { of: PER_SECOND[logical.unit], per: 1n };
  if (logical.kind !== "date") return null;
  return logical.unit === "day" ? { of: 1n, per: DAY } : { of: PER_SECOND.ms, per: 1n };
}

type PerSecond = NonNullable<ReturnType<typeof unitsPerSecond>>;

function fixedAxis({ of, per }: PerSecond, lo: bigint, hi: bigint): OverAxis | null {
  const steps = [
    ...fractions(of),
    // A day is the unit of dates, which have no shorter steps.
    ...STEPS.filter(([seconds]) => seconds % per === 0n).map(
      ([seconds, step]) => [(seconds * of) / per, step] as const,
    ),
  ];
  for (const [size, step] of steps) {
    const shift = step.unit === "week" ? (MONDAY * of) / per : 0n;
    const [first, last] = [floorOf(lo - shift, size), floorOf(hi - shift, size)];
    if (last - first >= MOST_OVER) continue;
    const found = axisOver(
      Array.from({ length: Number(last - first) + 2 }, (_, i) => Number((first + BigInt(i)) * size + shift)),
      step,
    );
    if (found !== null) return found;
  }
  return null;
}

/** Steps shorter than a second: round numbers of the largest unit that makes them whole. */
function fractions(perSecond: bigint): (readonly [size: bigint, step: OverStep])[] {
  const found: (readonly [bigint, OverStep])[] = [];
  for (let power = 1n; power < perSecond; power *= 10n) {
    for (const round of ROUND) {
      const size = BigInt(round) * power;
      const unit = (["ms", "us", "ns"] as const).find((one) => (size * PER_SECOND[one]) % perSecond === 0n)!;
      found.push([size, { every: Number((size * PER_SECOND[unit]) / perSecond), unit }]);
    }
  }
  return found;
}

/** Months, quarters, and round numbers of years. */
function calendarAxis({ of, per }: PerSecond, lo: bigint, hi: bigint): OverAxis | null {
  const msOf = (value: bigint): number => Number(floorOf(value * per * 1000n, of));
  const ends = [msOf(lo), msOf(hi)] as const;
  if (ends.some((ms) => Math.abs(ms) > MOST_MS)) return null;
  const [from, to] = ends.map((ms) => {
    const date = new Date(ms);
    return date.getUTCFullYear() * MONTHS + date.getUTCMonth();
  }) as [number, number];
  const steps: readonly OverStep[] = [
    { every: 1, unit: "month" },
    { every: 3, unit: "month" },
    ...[1, 10, 100, 1000, 10_000].flatMap((power) =>
      ROUND.map((round): OverStep => ({ every: round * power, unit: "year" })),
    ),
  ];
  for (const step of steps) {
    const months = step.unit === "year" ? step.every * MONTHS : step.every;
    const [first, last] = [Math.floor(from / months), Math.floor(to / months)];
    if (last - first >= MOST_OVER) continue;
    const edges = Array.from({ length: last - first + 2 }, (_, i) => {
      const ms = new Date(0).setUTCFullYear(0, (first + i) * months, 1);
      // Days are whole in every unit.
      return Number((BigInt(ms) * of) / (per * 1000n));
    });
    return axisOver(edges, step);
  }
  return null;
}

/** Round numbers, whole ones for integers. */
function numberAxis(logical: LogicalType, min: End, max: End): OverAxis | null {
  const [lo, hi] = [Number(min), Number(max)];
  if (!Number.isFinite(hi - lo)) return null;
  const isFloat = momentKindOf(logical) === "float";
  const least = (hi - lo) / MOST_OVER;
  const exponent =
    least > 0 ? Math.floor(Math.log10(least)) : isFloat ? Math.floor(Math.log10(Math.abs(lo) || 1)) - 2 : 0;
  for (
    let power = isFloat ? Math.max(exponent, EXPONENTS[0]) : Math.max(0, exponent);
    power <= EXPONENTS[1];
    power++
  ) {
    for (const round of ROUND) {
      const every = Number(`${round}e${power}`);
      const [first, last] = [Math.floor(lo / every), Math.floor(hi / every)];
      if (last - first >= MOST_OVER || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) continue;
      // Whole numbers times a power of ten below 1 are rounded twice, and quotients once.
      const edge = (i: number): number => (power < 0 ? (i * round) / 10 ** -power : i * every);
      const edges = Array.from({ length: last - first + 2 }, (_, i) => edge(first + i));
      if (edges[0]! > min) edges.unshift(edge(first - 1));
      if (edges.at(-1)! <= max) edges.push(edge(last + 2));
      const found = edges.length > MOST_OVER + 1 ? null : axisOver(edges, { every, unit: null });
      if (found !== null) return found;
    }
  }
  return null;
}

/** Null if two edges are one number, or one is infinite. */
function axisOver(edges: readonly number[], step: OverStep): OverAxis | null {
  const ascends = edges.every((edge, i) => Number.isFinite(edge) && (i === 0 || edge > edges[i - 1]!));
  return ascends ? { axis: variable(edges, { closed: false }), step } : null;
}

/** The whole number of units that are not above a value. */
function floorOf(value: bigint, unit: bigint): bigint {
  const rest = value % unit;
  return (value - (rest < 0n ? rest + unit : rest)) / unit;
}
