import type { ColumnJson } from "@polybin/columns/profile";
import { shortNumber, spanText, valueText } from "@polybin/columns/profile";
import { columnName, printable, whole } from "../base/index.ts";

/** Columns of text between two cells. */
export const GAP = "  ";
/** The longest name of a column in a table, and the longest value. */
const LONGEST_NAME = 24;
const LONGEST_VALUE = 24;

/** The time of day of a date. */
const MIDNIGHT = /T00:00:00Z?$/;
/** The length of an ISO time that ends with its minutes, or its duration. */
const TO_MINUTES = 16;
const TO_MILLISECONDS = 23;
/** A day in each unit of time. */
const DAY = { s: 86_400, ms: 86_400e3, us: 86_400e6, ns: 86_400e9 };

/** The short texts that describe a column. */
export interface ColumnCells {
  readonly column: string;
  readonly type: string;
  readonly nulls: string;
  readonly distinct: string;
  readonly min: string;
  readonly median: string;
  readonly max: string;
  readonly mean: string;
  readonly stddev: string;
}

/** The facts of a column as short texts. */
export function cellsOf(column: ColumnJson): ColumnCells {
  const { logical, rows, nulls, distinct, min, max, mean, stddev, quantiles } = column;
  const value = (one: ColumnJson["min"]): string =>
    one === null ? "" : clip(shown(column, one), LONGEST_VALUE);
  const median = quantiles.find(({ p }) => p === 0.5);
  return {
    column: clip(columnName(column.name), LONGEST_NAME),
    // The values show the unit.
    type: clip(column.type.replace(/\[.*$/, ""), LONGEST_NAME),
    nulls: nulls === null ? "?" : nulls === 0 ? "0" : share(nulls, rows),
    distinct: distinct === null ? "" : `${distinct.exact ? "" : "≈ "}${whole(distinct.value)}`,
    min: value(min),
    median: `${median?.exact === false ? "≈ " : ""}${value(median?.value ?? null)}`,
    max: value(max),
    mean: mean === null ? "" : isMoment(column) ? value(Math.round(mean)) : spanText(logical, mean),
    stddev: stddev === null ? "" : spanText(logical, stddev),
  };
}

/** Whether the mean is a point in time, or a time of day. */
function isMoment({ logical: { kind } }: ColumnJson): boolean {
  return kind === "timestamp" || kind === "date" || kind === "time";
}

function shown(column: ColumnJson, value: NonNullable<ColumnJson["min"]>): string {
  const { logical, min, max } = column;
  if (logical.kind === "number" && typeof value === "number") return shortNumber(value);
  const text = valueText(logical, value);
  if (logical.kind !== "timestamp" || !text.includes("T")) return printable(text);
  // Seconds say nothing about a column of days.
  const isLong = Number(max) - Number(min) >= DAY[logical.unit];
  return text
    .replace(MIDNIGHT, "")
    .slice(0, isLong ? TO_MINUTES : TO_MILLISECONDS)
    .replace("T", " ");
}

/** Rows of cells below their headings, with those of numbers to the right. */
export function aligned<Field extends string>(
  fields: readonly Field[],
  rows: readonly Readonly<Record<Field, string>>[],
  texts: ReadonlySet<Field>,
): string[] {
  const header = Object.fromEntries(fields.map((field) => [field, field as string])) as Record<Field, string>;
  const all = [header, ...rows];
  const widths = fields.map((field) => Math.max(...all.map((row) => row[field].length)));
  return all.map((row) =>
    fields
      .map((field, i) => (texts.has(field) ? row[field].padEnd(widths[i]!) : row[field].padStart(widths[i]!)))
      .join(GAP),
  );
}

/** A share in percent. */
export function share(part: number, all: number): string {
  if (all === 0) return "0";
  const percent = (100 * part) / all;
  return percent > 0 && percent < 0.05 ? "< 0.1%" : `${percent.toFixed(1)}%`;
}

/** Cuts a text to this number of characters. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}
