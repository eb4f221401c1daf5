import type { Scalar } from "../../profile/json.ts";
import type { LogicalType } from "../../table/index.ts";
import { duration, minus, rounded, whole } from "./numbers.ts";

const PER_SECOND = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n } as const;
const MS_PER_DAY = 86_400_000;
/** The longest distance from 1970 that a `Date` holds, in milliseconds. */
const MOST_MS = 8.64e15;

/** How the values of a column are put on an axis. */
export type Axis = "linear" | "utc" | "clock";

/** The kind of axis on which the values of a column lie. */
export function axisOf({ kind }: LogicalType): Axis {
  if (kind === "timestamp" || kind === "date") return "utc";
  return kind === "time" ? "clock" : "linear";
}

/** The place of a value on its axis: milliseconds for times, the number itself for all others. */
export function placeOf(value: Scalar, logical: LogicalType): number {
  const raw = Number(value);
  switch (logical.kind) {
    case "timestamp":
    case "time":
      return (raw / Number(PER_SECOND[logical.unit])) * 1000;
    case "date":
      return logical.unit === "day" ? raw * MS_PER_DAY : raw;
    case "decimal":
      return raw / 10 ** logical.scale;
    default:
      return raw;
  }
}

/** A value of a column as people read it. Integers keep all of their digits. */
export function valueText(value: Scalar | boolean, logical: LogicalType): string {
  if (typeof value === "boolean") return String(value);
  switch (logical.kind) {
    case "boolean":
      return Number(value) === 0 ? "false" : "true";
    case "timestamp":
      return instant(integer(value), logical.unit, logical.timezone === null ? "" : " UTC");
    case "time":
      return clock(integer(value), logical.unit);
    case "date":
      return day(Number(value) * (logical.unit === "day" ? MS_PER_DAY : 1));
    case "decimal":
      return decimal(value, logical.scale);
    case "number":
      return numeral(value);
    default:
      return String(value);
  }
}

/**
 * A mean, an edge or another computed number in the unit of a column.
 * @param spread the distance to others of its kind, which decides whether parts of a second matter
 */
export function computedText(value: number, logical: LogicalType, spread: number): string {
  if (logical.kind === "decimal") return rounded(value / 10 ** logical.scale);
  if (logical.kind === "number" || logical.kind === "boolean") return rounded(value);
  if (logical.kind === "date") return day(placeOf(value, logical));
  if (logical.kind === "timestamp" || logical.kind === "time") {
    const step = stepOf(spread, logical.unit);
    return valueText(String(BigInt(Math.round(value / Number(step))) * step), logical);
  }
  return valueText(Math.round(value), logical);
}

const DIGITS = 6;
/** Times further apart than this many seconds are given in whole seconds. */
const COARSE = 60;

/** Bounds as people read them: rounded outwards, so that what they promise still holds. */
export function boundTexts(low: Scalar, high: Scalar, logical: LogicalType): readonly [string, string] {
  if (logical.kind === "timestamp" || logical.kind === "time") {
    const step = stepOf(Number(high) - Number(low), logical.unit);
    const [down, up] = [whollyBelow(low), whollyAbove(high)];
    const ends = [floorDivide(down, step) * step, -floorDivide(-up, step) * step];
    return ends.map((end) => valueText(String(end), logical)) as [string, string];
  }
  const scale = logical.kind === "decimal" ? 10 ** logical.scale : 1;
  const text = (value: Scalar, up: boolean): string =>
    typeof value === "string" || Number.isInteger(value)
      ? valueText(value, logical)
      : rounded(outwards(value / scale, up));
  return [text(low, false), text(high, true)];
}

/** A number of at most six digits that is not above, or with `up` not below. */
function outwards(value: number, up: boolean): number {
  const nearest = Number(value.toPrecision(DIGITS));
  if (value === 0 || (up ? nearest >= value : nearest <= value)) return nearest;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - DIGITS);
  return Number((nearest + (up ? step : -step)).toPrecision(DIGITS));
}

const stepOf = (spread: number, unit: keyof typeof PER_SECOND): bigint =>
  spread > COARSE * Number(PER_SECOND[unit]) ? PER_SECOND[unit] : 1n;

const whollyBelow = (value: Scalar): bigint => BigInt(typeof value === "number" ? Math.floor(value) : value);
const whollyAbove = (value: Scalar): bigint => BigInt(typeof value === "number" ? Math.ceil(value) : value);

/** A standard deviation or another distance in the unit of a column. */
export function distanceText(value: number, logical: LogicalType): string {
  if (axisOf(logical) !== "linear") return duration(placeOf(value, logical));
  return computedText(value, logical, value);
}

/** Integers come as strings if a double would round them. */
function numeral(value: Scalar): string {
  if (typeof value === "number") return rounded(value);
  return /^-?\d+$/.test(value) ? minus(whole(BigInt(value))) : value;
}

const integer = (value: Scalar): bigint => BigInt(typeof value === "number" ? Math.round(value) : value);

function decimal(value: Scalar, scale: number): string {
  if (typeof value === "number" && !Number.isInteger(value)) return rounded(value / 10 ** scale);
  const raw = integer(value);
  const digits = (raw < 0n ? -raw : raw).toString().padStart(scale + 1, "0");
  const [front, rest] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${raw < 0n ? "−" : ""}${whole(BigInt(front))}${scale > 0 ? `.${rest}` : ""}`;
}

function day(ms: number): string {
  if (Math.abs(ms) > MOST_MS) return `${rounded(ms / MS_PER_DAY)} days from 1970`;
  return new Date(ms).toISOString().replace(/T.*/, "").replace(/^\+00/, "");
}

function instant(value: bigint, unit: keyof typeof PER_SECOND, zone: string): string {
  const per = PER_SECOND[unit];
  const second = floorDivide(value, per);
  const ms = Number(second) * 1000;
  if (Math.abs(ms) > MOST_MS) return `${minus(whole(value))} ${unit} from 1970`;
  const [date, time] = new Date(ms).toISOString().slice(0, -5).split("T") as [string, string];
  return `${date} ${time}${fraction(value - second * per, per)}${zone}`;
}

function clock(value: bigint, unit: keyof typeof PER_SECOND): string {
  const per = PER_SECOND[unit];
  const second = floorDivide(value, per);
  const two = (count: bigint) => String(count).padStart(2, "0");
  if (second < 0n) return `${minus(whole(value))} ${unit}`;
  return `${two(second / 3600n)}:${two((second / 60n) % 60n)}:${two(second % 60n)}${fraction(value - second * per, per)}`;
}

/** The part of a second, without zeros at its end. */
function fraction(part: bigint, per: bigint): string {
  if (part === 0n) return "";
  return `.${String(part).padStart(String(per).length - 1, "0").replace(/0+$/, "")}`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
