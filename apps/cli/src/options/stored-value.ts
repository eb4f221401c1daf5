import type { LogicalType, TimeUnit } from "@polybin/columns";
import { PolybinError } from "@polybin/core";
import { parseNumber } from "../base/index.ts";

/** Digits of each unit after the point of a second. */
const DIGITS: { readonly [unit in TimeUnit]: number } = { s: 0, ms: 3, us: 6, ns: 9 };
const MS_PER_DAY = 86_400_000;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?)?$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;

/**
 * Returns the number that a column stores for a value as people write it: 2024-01-31, 12.50, 08:30, or the number itself.
 * The edges of bins are doubles. A column of integers compares with them exactly, so an edge that would become another
 * integer is refused.
 * @throws ERR_INPUT
 */
export function storedValue(text: string, type: LogicalType, option: string): number {
  switch (type.kind) {
    case "timestamp":
      return instant(text, DIGITS[type.unit], option) ?? integer(text, 0, option);
    case "date": {
      const ms = instant(text, DIGITS.ms, option);
      if (ms === null) return integer(text, 0, option);
      return type.unit === "day" ? ms / MS_PER_DAY : ms;
    }
    case "time":
      return timeOfDay(text, DIGITS[type.unit], option) ?? integer(text, 0, option);
    case "decimal":
      return integer(text, type.scale, option);
    case "number":
      // Floats are the nearest double of a text, too.
      return /^[iu]/.test(type.type) ? integer(text, 0, option) : parseNumber(text, option);
    default:
      return parseNumber(text, option);
  }
}

/** A point in time, without a zone that of UTC, as the columns store them. Null for other texts. */
function instant(text: string, digits: number, option: string): number | null {
  const [, date, clock = "00:00", fraction = "", zone = "Z"] = ISO.exec(text.trim()) ?? [];
  if (date === undefined) return null;
  const ms = Date.parse(`${date}T${clock}${zone}`);
  if (Number.isNaN(ms)) {
    throw new PolybinError("ERR_INPUT", `expected a date for ${option} but received ${JSON.stringify(text)}`);
  }
  return ticks(ms / 1e3, fraction, digits, { text, option });
}

/** A time since midnight. Null for other texts. */
function timeOfDay(text: string, digits: number, option: string): number | null {
  const [, hours, minutes, seconds = "0", fraction = ""] = CLOCK.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return ticks(whole, fraction, digits, { text, option });
}

/** The text of an option, for messages. */
interface Given {
  readonly text: string;
  readonly option: string;
}

/** Whole seconds and the digits after their point, in ticks of 10^-digits seconds. */
function ticks(seconds: number, fraction: string, digits: number, given: Given): number {
  // The fraction is added, also to a time before 1970.
  const units = BigInt(seconds) * 10n ** BigInt(fraction.length) + BigInt(fraction || 0);
  return double(units, digits - fraction.length, given, 0);
}

/** A decimal number: sign, digits before and after the point, and an exponent. */
const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:e([+-]?\d{1,4}))?$/i;

/** A number that a column stores multiplied by 10^scale. */
function integer(text: string, scale: number, option: string): number {
  const [, sign, whole, fraction = "", exponent = "0"] = DECIMAL.exec(text.trim()) ?? [];
  // NaN and infinities, which no bins have, and texts that are no numbers.
  if (whole === undefined) return parseNumber(text, option);
  const digits = BigInt(whole + fraction);
  return double(
    sign === "-" ? -digits : digits,
    Number(exponent) - fraction.length + scale,
    { text, option },
    scale,
  );
}

/**
 * Returns digits * 10^exponent as a double.
 * @throws ERR_INPUT if it is an integer that the exact value is not, because integers next to it would change their bin
 */
function double(digits: bigint, exponent: number, { text, option }: Given, scale: number): number {
  const stored = Number(`${digits}e${exponent}`);
  // The double of a fraction lies between the same integers.
  if (!Number.isInteger(stored)) return stored;
  const power = 10n ** BigInt(Math.abs(exponent));
  const isExact = exponent < 0 ? BigInt(stored) * power === digits : BigInt(stored) === digits * power;
  if (isExact) return stored;
  throw new PolybinError(
    "ERR_INPUT",
    `expected a number that is a double for ${option} but received ${text.trim()}; the nearest is ${decimalOf(BigInt(stored), scale)}`,
  );
}

/** The digits of a decimal, with its point. */
function decimalOf(stored: bigint, scale: number): string {
  const digits = (stored < 0n ? -stored : stored).toString().padStart(scale + 1, "0");
  const text = scale <= 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return stored < 0n ? `-${text}` : text;
}
