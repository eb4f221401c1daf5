import type { TimeUnit } from "../../../table/index.ts";

/** Ticks of each unit per second, and the digits of a fraction of a second that they hold. */
export const TICKS: Readonly<Record<TimeUnit, { readonly perSecond: number; readonly digits: number }>> = {
  s: { perSecond: 1, digits: 0 },
  ms: { perSecond: 1e3, digits: 3 },
  us: { perSecond: 1e6, digits: 6 },
  ns: { perSecond: 1e9, digits: 9 },
};

/** A point in time, in parts that a double holds exactly. */
export interface Instant {
  /** Whole seconds since 1970-01-01, rounded down. */
  seconds: number;
  /** Nanoseconds after these seconds. */
  nanoseconds: number;
  /** Digits of the fraction of a second, without zeros at the end. */
  digits: number;
  /** Whether the text has an offset from UTC, or a Z. The seconds are those of UTC then. */
  hasOffset: boolean;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
const SECONDS_PER_DAY = 86_400;

/** Returns the days from 1970-01-01 to an ISO date, or null if the text is none. */
export function daysOf(text: string): number | null {
  const found = DATE.exec(text);
  return found === null ? null : civilDays(Number(found[1]), Number(found[2]), Number(found[3]));
}

/** Reads an ISO 8601 date and time into `into`. Returns false if the text is none. */
export function readInstant(text: string, into: Instant): boolean {
  const found = TIMESTAMP.exec(text);
  if (found === null) return false;
  const days = civilDays(Number(found[1]), Number(found[2]), Number(found[3]));
  const hour = Number(found[4]);
  const minute = Number(found[5]);
  const second = Number(found[6] ?? 0);
  if (days === null || hour > 23 || minute > 59 || second > 59) return false;
  const zone = found[8];
  const offset = zone === undefined || zone === "Z" || zone === "z" ? 0 : offsetSeconds(zone);
  if (offset === null) return false;
  const fraction = (found[7] ?? "").replace(/0+$/, "");
  into.seconds = days * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset;
  into.nanoseconds = fraction === "" ? 0 : Number(fraction.padEnd(9, "0"));
  into.digits = fraction.length;
  into.hasOffset = zone !== undefined;
  return true;
}

/** Returns the seconds of an offset such as +02, +0200 or -05:30, or null if there is no such offset. */
function offsetSeconds(zone: string): number | null {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 18 || minutes > 59) return null;
  return (zone[0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Returns the days from 1970-01-01 to a day of the proleptic Gregorian calendar, or null if there is no such day. */
function civilDays(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  // Years start in March, so that the leap day is the last one.
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * m + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
