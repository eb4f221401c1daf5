import { dot, line, type Markish, type ScaleOptions } from "@observablehq/plot";
import type { TemplateResult } from "lit-html";
import { type Chart, chart, isNarrow } from "./chart.ts";
import { colourIn } from "./colours.ts";
import { type End, endLabels, LINE, widest } from "./end-labels.ts";
import type { Keys } from "./keys.ts";
import { seriesOf } from "./series.ts";
import type { Cell } from "./table.ts";
import { axisOf, binaryTicks, decimalTicks } from "./ticks.ts";

export interface LinePoint {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

export interface LineAxis {
  /** The unit. */
  readonly label: string;
  /** The measured quantity. Its unit follows. */
  readonly what?: string;
  /** Base of a logarithmic axis. A linear one begins at 0. */
  readonly base?: 2 | 10;
  readonly format: (value: number) => string;
}

export interface Lines extends Pick<Chart, "title" | "width" | "source"> {
  readonly keys?: Keys;
  readonly points: readonly LinePoint[];
  /** Names of the lines, the most important ones first. */
  readonly names: readonly string[];
  /** How many of them are shown until the reader asks for all; without it, as many as a plot has room for. */
  readonly first?: number;
  readonly x: LineAxis;
  readonly y: LineAxis;
  /** Marks below the lines. */
  readonly marks?: readonly Markish[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly numbers: readonly number[];
}

/** Distance in pixels between two numbers on an axis. */
const [TICK_X, TICK_Y] = [44, 34];
const MARGIN_LEFT = 56;

/** Draws a line for each series, with its name at the end of it. */
export function lines(of: Lines): TemplateResult {
  const {
    title,
    width,
    source = null,
    points,
    names,
    first,
    keys,
    x,
    y,
    marks = [],
    columns,
    rows,
    numbers,
  } = of;
  const { drawn, shown } = seriesOf(names, first);
  const narrow = isNarrow(width);
  const visible = points.filter(({ name }) => shown.includes(name)).toSorted((a, b) => a.x - b.x);
  const label = (name: string) => (narrow ? String(drawn.indexOf(name) + 1) : name);
  const ends = shown.flatMap((name): End[] => {
    const last = visible.findLast((point) => point.name === name);
    return last === undefined
      ? []
      : [
          {
            label: label(name),
            colour: colourIn(drawn, name, keys),
            title: keys?.get(name)?.title ?? name,
            x: last.x,
            y: last.y,
          },
        ];
  });
  const named = names.length > 1;
  // Each name at the end of a line needs a line of text.
  const height = Math.max(narrow ? 340 : 440, LINE * ends.length + 80);
  const marginRight = named ? widest(drawn.map(label)) + 18 : 24;
  const channels = { x: "x", y: "y", stroke: "name" } as const;
  const across = axis(
    "x",
    x,
    visible.map((point) => point.x),
    (width - MARGIN_LEFT - marginRight) / TICK_X,
  );
  const up = axis(
    "y",
    y,
    visible.map((point) => point.y),
    height / TICK_Y,
  );
  return chart({
    ...{ title, width, source, series: names, ...(keys && { keys }), ...(first !== undefined && { first }) },
    numbered: narrow,
    options: {
      height,
      marginLeft: MARGIN_LEFT,
      marginRight,
      marginTop: 28,
      x: across.scale,
      y: up.scale,
      marks: [
        ...across.marks,
        ...up.marks,
        ...marks,
        line(visible, { ...channels, z: "name", strokeWidth: 1.5 }),
        dot(visible, { ...channels, fill: "name", symbol: "name", r: 3 }),
        ...(named ? [endLabels(ends)] : []),
      ],
    },
    readings: {
      along: "x",
      points: visible.map((point) => ({
        ...point,
        text: `${y.format(point.y)} ${y.label}`,
        colour: colourIn(drawn, point.name, keys),
      })),
      heading: (at) => `${x.format(at as number)} ${x.label}`,
    },
    columns,
    rows,
    numbers,
  });
}

/** A scale, and the marks of its axis where the library's own are not enough. */
interface Scale {
  readonly scale: ScaleOptions;
  readonly marks: readonly Markish[];
}

function axis(
  side: "x" | "y",
  { label: unit, what, base, format }: LineAxis,
  values: readonly number[],
  room: number,
): Scale {
  const most = Math.floor(room);
  const label = what === undefined ? unit : `${what}, ${unit}`;
  if (base === undefined || values.length === 0) {
    return {
      scale: { label, zero: true, grid: true, tickFormat: format, ticks: Math.min(most, 10) },
      marks: [],
    };
  }
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const ticks = base === 2 ? binaryTicks(low, high, most) : decimalTicks(low, high, most);
  return { scale: { type: "log", base, label }, marks: axisOf(side, ticks, label, format) };
}
