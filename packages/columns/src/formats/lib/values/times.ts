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

/** The text after the minutes: seconds, a fraction of them, and an offset from UTC. */
const REST = /^(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
export const SECONDS_PER_DAY = 86_400;
/** Lengths of YYYY-MM-DD, of YYYY-MM-DD hh:mm, and of the same with seconds. */
const DATE_LENGTH = 10;
const MINUTES_LENGTH = 16;
const SECONDS_LENGTH = 19;

/** Returns the days from 1970-01-01 to an ISO date, or null if the text is none. */
export function daysOf(text: string): number | null {
  return text.length === DATE_LENGTH ? dateIn(text) : null;
}

/** Reads an ISO 8601 date and time into `into`. Returns false if the text is none. */
export function readInstant(text: string, into: Instant): boolean {
  const { length } = text;
  if (length < MINUTES_LENGTH || (text[10] !== " " && text[10] !== "T") || text[13] !== ":") return false;
  const days = dateIn(text);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  if (days === null || !(hour <= 23) || !(minute <= 59)) return false;
  into.seconds = days * SECONDS_PER_DAY + hour * 3600 + minute * 60;
  into.nanoseconds = 0;
  into.digits = 0;
  into.hasOffset = false;
  if (length === SECONDS_LENGTH && text[16] === ":") {
    const second = digits(text, 17, 19);
    into.seconds += second;
    if (second <= 59) return true;
  }
  return length === MINUTES_LENGTH || readRest(text.slice(MINUTES_LENGTH), into);
}

/** Adds seconds, their fraction and the offset. Returns false, with `into` undefined, if the text is something else. */
function readRest(text: string, into: Instant): boolean {
  const [found, second = "0", fraction = "", zone] = REST.exec(text) ?? [];
  if (found === undefined || Number(second) > 59) return false;
  const offset = zone === undefined || zone === "Z" || zone === "z" ? 0 : offsetSeconds(zone);
  if (offset === null) return false;
  const significant = fraction.replace(/0+$/, "");
  into.seconds += Number(second) - offset;
  into.nanoseconds = Number(significant.padEnd(9, "0"));
  into.digits = significant.length;
  into.hasOffset = zone !== undefined;
  return true;
}

/** Returns the days to the ISO date at the start of a text, or null. */
function dateIn(text: string): number | null {
  if (text[4] !== "-" || text[7] !== "-") return null;
  return civilDays(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
}

const ZERO = 0x30;

/** Returns the number in the digits of a text, or NaN if one is none. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Returns the seconds of an offset such as +02, +0200 or -05:30, or null if there is no such offset. */
function offsetSeconds(zone: string): number | null {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 18 || minutes > 59) return null;
  return (zone[0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Returns the days from 1970-01-01 to a day of the proleptic Gregorian calendar, or null if there is no such day. */
export function civilDays(year: number, month: number, day: number): number | null {
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return null;
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
