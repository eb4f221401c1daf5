import type { LogicalType, TimeUnit } from "@polybin/columns";
import { PolybinError, regular, variable } from "@polybin/core";
import type { AxisOptions } from "@polybin/core/backend";
import { parseNumber } from "../numbers.ts";
import { BINS, parseBins } from "../request.ts";

/** The options of bins as they were typed. Their ends mean something else for times and decimals. */
export interface BinsText {
  /** Null if not given. */
  readonly bins: number | null;
  /** Two ends, or null. */
  readonly range: readonly [string, string] | "data" | "type" | null;
  readonly edges: readonly string[] | null;
}

/** Reads --bins, --range and --edges without the numbers. @throws ERR_INPUT, ERR_AXIS */
export function binsText({
  bins,
  range,
  edges,
}: {
  readonly bins?: string | undefined;
  readonly range?: string | undefined;
  readonly edges?: string | undefined;
}): BinsText {
  if (edges !== undefined && (range !== undefined || bins !== undefined)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --edges alone, which decide the bins and the range, but received --${range === undefined ? "bins" : "range"} too`,
    );
  }
  return {
    bins: bins === undefined ? null : parseBins(bins),
    range: range === undefined ? null : endsOf(range),
    edges: edges === undefined ? null : edges.split(","),
  };
}

function endsOf(range: string): BinsText["range"] {
  if (range === "data" || range === "type") return range;
  const ends = range.split(",");
  if (ends.length === 2) return [ends[0]!, ends[1]!];
  throw new PolybinError(
    "ERR_INPUT",
    `expected LO,HI, data or type for --range but received ${JSON.stringify(range)}`,
  );
}

/** Whether a type has bins of numbers. Strings are counted one by one, and booleans have two values. */
export const hasBins = ({ kind }: LogicalType): boolean => kind !== "string" && kind !== "boolean";

/** The axis options of a column. @throws ERR_INPUT, ERR_AXIS */
export function axisOptionsOf(type: LogicalType, { bins, range, edges }: BinsText): AxisOptions {
  if (!hasBins(type)) return {};
  if (edges !== null) return { axis: variable(edges.map((edge) => storedValue(edge, type, "--edges"))) };
  const count = bins ?? BINS;
  if (typeof range !== "object") return { bins: count, range: range ?? undefined };
  if (range === null) return { bins: count };
  const [lo, hi] = range.map((end) => storedValue(end, type, "--range")) as [number, number];
  return { axis: regular(count, lo, hi) };
}

/** Ticks of each unit in a second. */
const PER_SECOND: { readonly [unit in TimeUnit]: number } = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };
const MS_PER_DAY = 86_400_000;
const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/;

/** Digits with a point or without. */
const DIGITS = /^([+-]?)(\d+)(?:\.(\d*))?$/;

/**
 * Bins have double edges. An integer between two doubles would move to one of them, and values would be counted in the
 * bin next to theirs. @throws ERR_INPUT
 */
function integerValue(text: string, scale: number, option: string): number {
  const value = parseNumber(text, option);
  const [, sign, whole, fraction = ""] = DIGITS.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > scale) {
    if (scale === 0 || !Number.isFinite(value)) return value;
    // Digits, so that 12.35 is 1235 and not its neighbour.
    return String(value).includes("e") ? value * 10 ** scale : Number(`${value}e${scale}`);
  }
  const digits = BigInt(whole + fraction.padEnd(scale, "0"));
  const exact = sign === "-" ? -digits : digits;
  const stored = Number(exact);
  // --json prints doubles with the fewest digits that identify them. They come back as they were.
  const isPrinted = scale === 0 && exact.toString() === String(stored);
  if (!isPrinted && Number.isFinite(stored) && BigInt(stored) !== exact) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a number that is a double for ${option} but received ${text.trim()}; the nearest is ${decimalOf(BigInt(stored), scale)}`,
    );
  }
  return stored;
}

function decimalOf(stored: bigint, scale: number): string {
  const digits = (stored < 0n ? -stored : stored).toString().padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return stored < 0n ? `-${text}` : text;
}

/** The number that a column stores for a value as people write it: 2024-01-31, 12.50, 08:30, or the number itself. */
function storedValue(text: string, type: LogicalType, option: string): number {
  const trimmed = text.trim();
  switch (type.kind) {
    case "timestamp":
    case "date": {
      if (!ISO.test(trimmed)) return integerValue(text, 0, option);
      // Without a zone, the time is that of UTC, as the column's numbers are.
      const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(trimmed.slice(10));
      const ms = Date.parse(
        hasZone || trimmed.length === 10 ? trimmed.replace(" ", "T") : `${trimmed.replace(" ", "T")}Z`,
      );
      if (Number.isNaN(ms))
        throw new PolybinError(
          "ERR_INPUT",
          `expected a date for ${option} but received ${JSON.stringify(text)}`,
        );
      if (type.kind === "date") return type.unit === "day" ? ms / MS_PER_DAY : ms;
      return (ms / 1e3) * PER_SECOND[type.unit];
    }
    case "time": {
      const [, hours, minutes, seconds = "0", fraction = "0"] = CLOCK.exec(trimmed) ?? [];
      if (hours === undefined) return integerValue(text, 0, option);
      const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
      return (whole * 1e3 + Number(fraction.padEnd(3, "0"))) * (PER_SECOND[type.unit] / 1e3);
    }
    case "decimal":
      return integerValue(text, type.scale, option);
    case "number":
      // Floats are the nearest double of a text, too.
      return /^[iu]/.test(type.type) ? integerValue(text, 0, option) : parseNumber(text, option);
    default:
      return parseNumber(text, option);
  }
}
