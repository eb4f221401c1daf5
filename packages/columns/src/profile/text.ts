import type { LogicalType, TimeUnit } from "../table/index.ts";
import type { Scalar } from "./json.ts";
import type { OverStep } from "./partial/plan.ts";

const PER_SECOND: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };
const DAY_MS = 86_400_000;
/** The largest distance from 1970 that a Date holds, in milliseconds. */
const MOST_MS = 8.64e15;
/** Months of a quarter. */
const QUARTER = 3;
/** From this number on, six digits do not reach the point. */
const MOST_SHORT = 1e6;
/** From this number on, numbers are written with an exponent. */
const MOST_PLAIN = 1e21;

/** Names a type as people write it, such as "f64", "timestamp[us, UTC]" or "decimal(12, 2)". */
export function typeText(logical: LogicalType): string {
  switch (logical.kind) {
    case "number":
      return logical.type;
    case "timestamp":
      return `timestamp[${logical.timezone === null ? logical.unit : `${logical.unit}, ${logical.timezone}`}]`;
    case "time":
      return `time[${logical.unit}]`;
    case "decimal":
      return `decimal(${logical.precision}, ${logical.scale})`;
    default:
      return logical.kind;
  }
}

/** Names the unit of a column's stored integers; null for plain numbers, booleans and strings. */
export function unitText(logical: LogicalType): string | null {
  switch (logical.kind) {
    case "timestamp":
      return `${logical.unit} since 1970-01-01`;
    case "date":
      return `${logical.unit === "day" ? "days" : logical.unit} since 1970-01-01`;
    case "time":
      return `${logical.unit} since midnight`;
    case "decimal":
      return decimalText("1", logical.scale);
    default:
      return null;
  }
}

/** Writes a value as people do: points in time in ISO 8601, decimals with their point. */
export function valueText(logical: LogicalType, value: Scalar | boolean): string {
  if (typeof value === "boolean" || logical.kind === "string") return String(value);
  switch (logical.kind) {
    case "boolean":
      return value === 0 ? "false" : "true";
    case "timestamp": {
      const text = momentText(value, PER_SECOND[logical.unit]);
      return text === null ? `${value} ${logical.unit}` : `${text}${logical.timezone === null ? "" : "Z"}`;
    }
    case "date": {
      const ms = Number(value) * (logical.unit === "day" ? DAY_MS : 1);
      return Math.abs(ms) <= MOST_MS ? isoOf(ms).split("T")[0]! : `${value} ${logical.unit}`;
    }
    case "time":
      return momentText(value, PER_SECOND[logical.unit])?.split("T")[1] ?? `${value} ${logical.unit}`;
    case "decimal":
      return isWhole(value)
        ? decimalText(String(value), logical.scale)
        : String(Number(value) / 10 ** logical.scale);
    default:
      return String(value);
  }
}

/** Writes a distance between values, such as a standard deviation: times as a span, decimals scaled. */
export function spanText(logical: LogicalType, span: number): string {
  if (logical.kind === "decimal") return shortNumber(span / 10 ** logical.scale);
  const seconds = secondsOf(logical, span);
  if (seconds === null) return shortNumber(span);
  for (const [unit, size] of [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
  ] as const) {
    if (seconds >= size) return `${shortNumber(seconds / size)} ${unit}`;
  }
  return `${shortNumber(seconds)} s`;
}

/** Writes the width of bins: "by day", "by 15 minutes" or "in bins of 20". */
export function stepText({ every, unit }: OverStep, logical: LogicalType): string {
  if (unit === null) return `in bins of ${spanText(logical, every)}`;
  if (unit === "month" && every === QUARTER) return "by quarter";
  if (every === 1) return `by ${unit}`;
  return `by ${shortNumber(every)} ${unit}${unit.length > 2 ? "s" : ""}`;
}

/** Writes a number with at most six digits, but never with fewer than a whole number or the part before the point has. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < MOST_PLAIN) return BigInt(value).toString();
  if (size >= MOST_SHORT && size < MOST_PLAIN) return String(Math.round(value));
  return String(Number(value.toPrecision(6)));
}

function secondsOf(logical: LogicalType, span: number): number | null {
  if (logical.kind === "date") return logical.unit === "day" ? span * 86_400 : span / 1000;
  return logical.kind === "timestamp" || logical.kind === "time" ? span / PER_SECOND[logical.unit] : null;
}

const isWhole = (value: Scalar): boolean => /^-?\d+$/.test(String(value));

/** ISO 8601 without a zone, with the digits of the unit that are not 0; null if a Date does not reach that far. */
function momentText(value: Scalar, perSecond: number): string | null {
  const units = isWhole(value) ? BigInt(value) : BigInt(Math.round(Number(value)));
  const unit = BigInt(perSecond);
  const seconds = (units - (((units % unit) + unit) % unit)) / unit;
  if (Math.abs(Number(seconds) * 1000) > MOST_MS) return null;
  const rest = (units - seconds * unit).toString().padStart(String(perSecond).length - 1, "0");
  const fraction = perSecond === 1 ? "" : rest.replace(/0+$/, "");
  return isoOf(Number(seconds) * 1000).replace(/\.\d+Z$/, "") + (fraction === "" ? "" : `.${fraction}`);
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

function decimalText(digits: string, scale: number): string {
  const negative = digits.startsWith("-");
  const size = negative ? digits.slice(1) : digits;
  if (scale <= 0) return `${digits}${size === "0" ? "" : "0".repeat(-scale)}`;
  const padded = size.padStart(scale + 1, "0");
  return `${negative ? "-" : ""}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
