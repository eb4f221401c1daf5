import { valueText as plainText, type Scalar, spanText } from "../../profile/index.ts";
import type { LogicalType, TimeUnit } from "../../table/index.ts";
import { digitsFor, exact, minus, rounded, whole } from "./numbers.ts";

const PER_SECOND: Readonly<Record<TimeUnit, bigint>> = {
  s: 1n,
  ms: 1000n,
  us: 1_000_000n,
  ns: 1_000_000_000n,
};
const MS_PER_DAY = 86_400_000;

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

/** A value of a column as people read it. Integers and decimals keep all of their digits. */
export function valueText(value: Scalar | boolean, logical: LogicalType): string {
  if (logical.kind === "number" && typeof value === "number") return exact(value, logical.type === "f32");
  if (logical.kind === "number" && /^-?Infinity$/.test(String(value))) return rounded(Number(value));
  const text = plainText(logical, value);
  if (logical.kind === "timestamp") return text.replace("T", " ").replace("Z", " UTC");
  return logical.kind === "number" || logical.kind === "decimal" ? grouped(text) : text;
}

/** A value where there is little room: floating-point numbers with six digits, or those in which they differ. */
export function shortText(value: Scalar | boolean, logical: LogicalType, spread: number): string {
  const isFraction = logical.kind === "number" && typeof value === "number" && !Number.isInteger(value);
  return isFraction ? rounded(value, spread) : valueText(value, logical);
}

/**
 * A mean, an edge or another computed number in the unit of a column.
 * @param spread the distance to others of its kind, which decides how many digits matter
 */
export function computedText(value: number, logical: LogicalType, spread: number): string {
  switch (logical.kind) {
    case "decimal":
      return rounded(value / 10 ** logical.scale, spread / 10 ** logical.scale);
    case "timestamp":
    case "time": {
      const step = stepOf(spread, logical.unit);
      return valueText(String(BigInt(Math.round(value / Number(step))) * step), logical);
    }
    case "date":
      return valueText(Math.round(value), logical);
    default:
      return rounded(value, spread);
  }
}

/** A standard deviation in the unit of a column. */
export function distanceText(value: number, logical: LogicalType): string {
  return axisOf(logical) === "linear" ? computedText(value, logical, value) : spanText(logical, value);
}

/** Times further apart than this many seconds are given in whole seconds. */
const COARSE = 60;

/** Bounds as people read them: rounded outwards, so that what they promise still holds. */
export function boundTexts(low: Scalar, high: Scalar, logical: LogicalType): readonly [string, string] {
  if (logical.kind === "timestamp" || logical.kind === "time") {
    const step = stepOf(Number(high) - Number(low), logical.unit);
    const ends = [floor(whollyBelow(low), step), -floor(-whollyAbove(high), step)];
    return ends.map((end) => valueText(String(end), logical)) as [string, string];
  }
  if (logical.kind === "date") {
    return [Math.floor(Number(low)), Math.ceil(Number(high))].map((end) => valueText(end, logical)) as [
      string,
      string,
    ];
  }
  const scale = logical.kind === "decimal" ? 10 ** logical.scale : 1;
  const spread = (Number(high) - Number(low)) / scale;
  const text = (value: Scalar, up: boolean): string =>
    typeof value === "string" || Number.isInteger(value)
      ? valueText(value, logical)
      : rounded(outwards(value / scale, spread, up), spread);
  return [text(low, false), text(high, true)];
}

/** A number of few digits that is not above, or with `up` not below. */
function outwards(value: number, spread: number, up: boolean): number {
  const digits = digitsFor(value, spread);
  const nearest = Number(value.toPrecision(digits));
  if (value === 0 || (up ? nearest >= value : nearest <= value)) return nearest;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - digits);
  return Number((nearest + (up ? step : -step)).toPrecision(digits));
}

const stepOf = (spread: number, unit: TimeUnit): bigint =>
  spread > COARSE * Number(PER_SECOND[unit]) ? PER_SECOND[unit] : 1n;

const whollyBelow = (value: Scalar): bigint => BigInt(typeof value === "number" ? Math.floor(value) : value);
const whollyAbove = (value: Scalar): bigint => BigInt(typeof value === "number" ? Math.ceil(value) : value);

/** The multiple of a step that is not above. */
function floor(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return value - (rest < 0n ? rest + step : rest);
}

/** Digits before the point in groups of three. */
function grouped(text: string): string {
  const [, front, rest = ""] = /^(-?\d+)(\.\d+)?$/.exec(text) ?? [];
  return front === undefined ? text : minus(`${/^-0+$/.test(front) ? "-0" : whole(BigInt(front))}${rest}`);
}
