import type { LogicalType } from "@polybin/columns";
import { PolybinError, regular, variable } from "@polybin/core";
import { type AxisOptions, limits } from "@polybin/core/backend";
import { edgeTexts, parseNumber } from "../base/index.ts";
import { storedValue } from "./stored-value.ts";

/** The options of bins as they were typed. Their ends mean something else for times and decimals. */
export interface BinsText {
  /** Null if not given. */
  readonly bins: number | null;
  /** Two ends, or null. */
  readonly range: readonly [string, string] | "data" | "type" | null;
  readonly edges: readonly string[] | null;
}

/** Bins of the default axis. */
export const BINS: number = limits.BYTE_VALUES;

/** Reads a number of bins. @throws ERR_AXIS, ERR_INPUT */
function parseBins(text: string): number {
  // An axis checks its number of bins itself.
  return regular(parseNumber(text, "--bins"), 0, 1).bins;
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
    edges: edges === undefined ? null : edgeTexts(edges),
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
  // Without a number of bins, each of a few integers gets its own bin.
  const given = bins === null ? {} : { bins };
  if (typeof range === "string") return { ...given, range };
  if (range === null) return given;
  const [lo, hi] = range.map((end) => storedValue(end, type, "--range")) as [number, number];
  return { ...given, range: [lo, hi] };
}
