import type { LogicalType, TimeUnit } from "@polybin/columns";
import { ticks } from "d3-array";
import { utcTicks } from "d3-time";
import { digitsOf, edge } from "../base/index.ts";

/** How the values of an axis are shown. */
export interface ValueText {
  /** One value. */
  readonly text: (value: number) => string;
  /** One value with all its digits, for a file. */
  readonly written: (value: number) => string;
  /** About `wanted` round values between two others. */
  readonly ticks: (lo: number, hi: number, wanted: number) => number[];
  /** The type, and the unit that the stored numbers have. */
  readonly unit: string;
  /** The unit of the values as they are shown. Empty if they show it themselves, or nothing states it. */
  readonly shown: string;
  /** The kind of a plot's axis. */
  readonly scale: "linear" | "utc";
  /** The number of a value on a plot's axis: milliseconds of a time, and the value of a decimal. */
  readonly drawn: (value: number) => number;
}

const PLAIN = {
  text: edge,
  written: digitsOf,
  ticks,
  shown: "",
  scale: "linear",
  drawn: (value: number) => value,
} as const;

const PER_MS: { readonly [unit in TimeUnit]: number } = { s: 1e-3, ms: 1, us: 1e3, ns: 1e6 };
const LONG: { readonly [unit in TimeUnit]: string } = {
  s: "seconds",
  ms: "milliseconds",
  us: "microseconds",
  ns: "nanoseconds",
};
const MS_PER_DAY = 86_400_000;
/** A larger error than that of a few roundings, relative to the value. */
const ROUNDING = 2 ** -50;
/** The distance from 1970 that `Date` can express. */
const MOST_MS = 8.64e15;

/** How a column's values are shown. Times are those of UTC, as the column stores them. */
export function valueTextOf(type: LogicalType): ValueText {
  switch (type.kind) {
    case "timestamp": {
      const zone = type.timezone === null ? "" : `, ${type.timezone}`;
      return dated(PER_MS[type.unit], `timestamp in ${LONG[type.unit]} since 1970${zone}`, "UTC");
    }
    case "date":
      return dated(
        type.unit === "day" ? 1 / MS_PER_DAY : 1,
        `date in ${type.unit === "day" ? "days" : LONG.ms} since 1970`,
        "",
      );
    case "time":
      return dated(PER_MS[type.unit], `time of day in ${LONG[type.unit]}`, "time of day", true);
    case "decimal":
      return scaled(10 ** -type.scale, `decimal with ${type.scale} digits after the point`);
    case "number":
      return { ...PLAIN, unit: type.type };
    case "boolean":
      return { ...PLAIN, text: (value) => (value === 0 ? "false" : "true"), unit: "boolean" };
    default:
      return { ...PLAIN, unit: type.kind };
  }
}

function scaled(by: number, unit: string): ValueText {
  return {
    text: (value) => edge(value * by),
    written: digitsOf,
    ticks: (lo, hi, wanted) => ticks(lo * by, hi * by, wanted).map((value) => value / by),
    unit,
    shown: "",
    scale: "linear",
    drawn: (value) => value * by,
  };
}

/** @param perMs stored numbers per millisecond */
function dated(perMs: number, unit: string, shown: string, isClock = false): ValueText {
  const text = (value: number): string => {
    const exact = value / perMs;
    const nearest = Math.round(exact);
    // The edges of days are quotients, so a full millisecond can have a rounding error.
    const ms = Math.abs(exact - nearest) <= Math.abs(exact) * ROUNDING ? nearest : Math.floor(exact);
    return Math.abs(ms) <= MOST_MS ? dateText(ms, isClock) : edge(value);
  };
  return {
    text,
    written: (value) =>
      perMs > 1 && Number.isInteger(value) ? wholeText(value, perMs, isClock) : text(value),
    ticks: (lo, hi, wanted) => {
      const [from, to] = [lo / perMs, hi / perMs];
      if (Math.abs(from) > MOST_MS || Math.abs(to) > MOST_MS || to - from < wanted)
        return ticks(lo, hi, wanted);
      return utcTicks(new Date(from), new Date(to), wanted).map((date) => date.getTime() * perMs);
    },
    unit,
    shown,
    scale: "utc",
    drawn: (value) => value / perMs,
  };
}

/** A whole number of microseconds or nanoseconds. A quotient would lose the last digits. */
function wholeText(value: number, perMs: number, isClock: boolean): string {
  const per = BigInt(perMs);
  // Times before 1970 are negative.
  const rest = ((BigInt(value) % per) + per) % per;
  const ms = Number((BigInt(value) - rest) / per);
  if (Math.abs(ms) > MOST_MS) return digitsOf(value);
  if (rest === 0n) return dateText(ms, isClock);
  const [date, time = ""] = new Date(ms).toISOString().split("T");
  const digits = String(per + rest)
    .slice(1)
    .replace(/0+$/, "");
  const clock = `${time.slice(0, -1)}${digits}`;
  return isClock ? clock : `${date} ${clock}`;
}

/** As short as the time allows: 2024-01-31, 2024-01-31 08:30 or 2024-01-31 08:30:15.250 */
function dateText(ms: number, isClock: boolean): string {
  const [date, time = ""] = new Date(ms).toISOString().split("T");
  const clock = time.endsWith(":00.000Z")
    ? time.slice(0, 5)
    : time.endsWith(".000Z")
      ? time.slice(0, 8)
      : time.slice(0, 12);
  if (isClock) return clock;
  return clock === "00:00" ? date! : `${date} ${clock}`;
}

/** The type of a column as one word. */
export function typeName(type: LogicalType): string {
  return type.kind === "number" ? type.type : type.kind;
}
