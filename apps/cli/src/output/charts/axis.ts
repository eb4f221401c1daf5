import type { Axis } from "@polybin/core";
import { tickStep, ticks } from "d3-array";
import { edge } from "../../base/index.ts";

/** A labelled place on an axis. */
export interface Tick {
  readonly value: number;
  /** In columns from the left end, or in rows from the bottom. */
  readonly at: number;
}

/** The vertical axis of a chart, whose rows end at round counts. */
export interface Counts {
  readonly rows: number;
  /** The count at the bottom: 0, or a power of ten on a logarithmic scale. */
  readonly foot: number;
  /** The count at the top. */
  readonly top: number;
  /** Rows whose upper end is labelled, counted from 1 at the bottom. */
  readonly ticks: readonly Tick[];
}

/** From this number of rows on, every second row has a label. */
const CROWDED_ROWS = 6;
/** The logarithm of a power of ten may lie a little above a whole number, which must not take another row. */
const ROUNDING = 1e-9;
/** Columns between the middles of two labels of the horizontal axis. */
const TICK_COLUMNS = 12;
/** Rows between two labels of a vertical axis of values. */
export const TICK_ROWS = 4;
/** The eighths of a range of this span, or of a larger power of two, are round in binary. */
const BINARY_SPAN = 256;
const BINARY_PARTS: readonly number[] = [8, 4, 2];

/** An axis for counts up to `tallest` with at most `most` rows. @param foot a power of ten, or null for a linear scale */
export function countAxis(tallest: number, most: number, foot: number | null): Counts {
  return foot === null ? linear(tallest, most) : logarithmic(tallest, most, foot);
}

function linear(tallest: number, most: number): Counts {
  if (tallest === 0) return { rows: 1, foot: 0, top: 1, ticks: [{ value: 1, at: 1 }] };
  let step = 1;
  for (let wanted = most; tallest / step > most; wanted--) step = tickStep(0, tallest, wanted);
  const isTall = step > 1 && 2 * Math.ceil(tallest / step) <= most;
  if (isTall) step /= 2;
  const rows = Math.ceil(tallest / step);
  const every = isTall || rows >= CROWDED_ROWS ? 2 : 1;
  const ticks = Array.from({ length: Math.floor(rows / every) }, (_, i) => (i + 1) * every);
  return { rows, foot: 0, top: rows * step, ticks: ticks.map((at) => ({ value: at * step, at })) };
}

/** A power of ten takes several rows, or a row takes several powers. */
function logarithmic(tallest: number, most: number, foot: number): Counts {
  const powers = Math.max(1, Math.log10(tallest / foot) - ROUNDING);
  const rowsEach = Math.max(1, Math.floor(most / powers));
  const powersEach = Math.max(1, Math.ceil(powers / most));
  const rows = Math.ceil((powers * rowsEach) / powersEach);
  const value = (at: number) => foot * 10 ** ((at * powersEach) / rowsEach);
  const ticks = Array.from({ length: Math.floor(rows / rowsEach) }, (_, i) => (i + 1) * rowsEach);
  return { rows, foot, top: value(rows), ticks: ticks.map((at) => ({ value: value(at), at })) };
}

/**
 * Round values along the bins, and the column of each.
 * @param columns the columns (or rows) of all bins together, not always a whole number
 * @param apart the distance between two of them, if there is room
 * @param round finds round values between two others
 */
export function valueTicks(
  axis: Axis,
  edges: Float64Array,
  columns: number,
  apart: number = TICK_COLUMNS,
  round: (lo: number, hi: number, wanted: number) => number[] = ticks,
): Tick[] {
  const [lo, hi] = [edges[0]!, edges[axis.bins]!];
  const wanted = Math.max(2, Math.floor(columns / apart));
  if (axis.type === "variable") {
    const bins = ticks(0, axis.bins, wanted).filter(Number.isInteger);
    return bins.map((bin) => ({ value: edges[bin]!, at: (bin / axis.bins) * columns }));
  }
  const span = hi - lo;
  const isBinary = round === ticks && span >= BINARY_SPAN && Number.isInteger(Math.log2(span));
  const parts = isBinary ? BINARY_PARTS.find((each) => each <= wanted) : undefined;
  const values =
    parts === undefined
      ? round(lo, hi, wanted)
      : Array.from({ length: parts + 1 }, (_, i) => lo + (i * span) / parts);
  return values.map((value) => ({ value, at: ((value - lo) / span) * columns }));
}

/** The rule below a chart with its ticks, and their labels. Leaves out labels that would touch. */
export function axisLines(
  found: readonly Tick[],
  width: number,
  textOf: (value: number) => string = edge,
): [rule: string, labels: string] {
  const rule = Array.from({ length: width }, () => "─");
  let labels = "";
  for (const { value, at } of found) {
    const text = textOf(value);
    const column = Math.min(Math.floor(at), width - 1);
    const from = Math.min(
      Math.max(0, column - Math.floor(text.length / 2)),
      Math.max(0, width - text.length),
    );
    if (labels !== "" && from < labels.length + 2) continue;
    labels = labels.padEnd(from) + text;
    rule[column] = "┬";
  }
  return [rule.join(""), labels];
}
