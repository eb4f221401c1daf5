import { axisX, barX, dot, type Markish, ruleY, text, tickX } from "@observablehq/plot";
import type { TemplateResult } from "lit-html";
import { type Chart, chart, isNarrow } from "./chart.ts";
import { colourIn } from "./colours.ts";
import { widest } from "./end-labels.ts";
import { namesOf } from "./names.ts";
import { seriesOf, showsAll } from "./series.ts";
import type { Cell } from "./table.ts";
import { decimalTicks, linearTicks } from "./ticks.ts";

/** A line of the plot: one value for each distribution. */
export interface Range {
  readonly name: string;
  /** Name of the series that it belongs to. */
  readonly series: string;
  /** Its tooltip. */
  readonly title?: string;
  readonly values: readonly { readonly on: string; readonly value: number }[];
  /** Written at the end of its line. */
  readonly label: string;
}

export interface Ranges extends Pick<Chart, "title" | "width" | "source" | "keys"> {
  readonly ranges: readonly Range[];
  readonly series: readonly string[];
  /** The measured quantity. Its unit follows on the axis. */
  readonly what?: string;
  readonly unit: string;
  readonly format: (value: number) => string;
  /**
   * `bars` reach from 0 to the lowest value, and whiskers from there to the highest. `whiskers` have no bar, because
   * the length of a bar has no meaning on a logarithmic axis.
   */
  readonly mark: "bars" | "whiskers";
  readonly log?: boolean;
  /** A line to compare with. */
  readonly line?: { readonly at: number; readonly label: string };
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly numbers: readonly number[];
}

/** Share of the width that names may take. */
const NAMES_SHARE = 0.34;
/** Distance in pixels between two numbers on the axis. */
const TICK = 72;
const TOP = 24;
/** Height in pixels of a name. */
const NAME = 14;
/** The most lines until the reader asks for all. The first one of each series is always among them. */
const MOST = 16;

const inside = (pixels: number) => ({ insetTop: pixels, insetBottom: pixels });

/** Draws one line per name, from its lowest to its highest value. */
export function ranges(of: Ranges): TemplateResult {
  const {
    title,
    width,
    source = null,
    keys,
    what,
    unit,
    format,
    mark,
    log = false,
    line,
    columns,
    rows,
    numbers,
  } = of;
  const series = of.series.filter((name) => of.ranges.some((range) => range.series === name));
  const { shown } = seriesOf(series);
  const narrow = isNarrow(width);
  const first = new Set(series.map((name) => of.ranges.find((range) => range.series === name)));
  const drawn = of.ranges
    .filter((range, i) => showsAll() || i < MOST || first.has(range))
    .filter((range) => shown.includes(range.series))
    .map(({ name, series: group, title: tip = name, values, label }) => {
      const only = values.map(({ value }) => value);
      return { name, group, tip, values, label, low: Math.min(...only), high: Math.max(...only) };
    });
  const names = drawn.map(({ name }) => name);
  const room = widest(drawn.map(({ label }) => label));
  const labelled = (name: string) => `${name}\n${drawn.find((one) => one.name === name)!.label}`;
  const { marks, marginLeft, lineHeight } = namesOf(
    drawn.map(({ name, tip }) => ({ name, tip })),
    narrow,
    Math.floor(width * NAMES_SHARE),
    narrow ? labelled : undefined,
  );
  const marginRight = narrow ? 16 : room + 20;
  // On a phone, a name is above its line.
  const top = (line === undefined ? 8 : TOP) + (narrow ? NAME : 0);
  const most = Math.max(2, Math.floor((width - marginLeft - marginRight) / TICK));
  const [low, high] = [
    Math.min(...drawn.map((one) => one.low), line?.at ?? Infinity),
    Math.max(...drawn.map((one) => one.high), line?.at ?? -Infinity),
  ];
  const least = log ? low : Math.min(0, low);
  const ticks = log ? decimalTicks(low, high, most) : linearTicks(least, high, Math.min(8, most));
  // Lines have the height of their bars, so that they cross no name and no number.
  const half = narrow ? 6 : 8;
  const across = (at: readonly number[], style: object): Markish =>
    tickX(
      at.flatMap((x) => names.map((name) => ({ name, x }))),
      { x: "x", y: "name", ...inside(lineHeight / 2 - half - 2), ...style },
    );
  const whisker: Markish[] = [
    ruleY(drawn, {
      y: "name",
      x1: "low",
      x2: "high",
      stroke: mark === "bars" ? "currentColor" : "group",
      strokeWidth: mark === "bars" ? 1.5 : 4,
    }),
    tickX(
      drawn.flatMap(({ name, low: a, high: b }) => (a === b ? [] : [a, b]).map((at) => ({ name, at }))),
      {
        x: "at",
        y: "name",
        stroke: "currentColor",
        strokeWidth: 1.5,
        ...inside(lineHeight / 2 - 5),
      },
    ),
  ];
  return chart({
    ...{ title, width, source, series, ...(keys && { keys }) },
    ...(of.ranges.length > MOST ? { total: of.ranges.length } : {}),
    options: {
      height: top + 40 + drawn.length * lineHeight,
      marginLeft,
      marginRight,
      marginTop: top,
      x: {
        ...(log ? { type: "log", domain: [low / 1.05, high * 1.05] } : { domain: [least, high] }),
      },
      y: { type: "band", domain: names, label: null, axis: null, padding: 0 },
      marks: [
        axisX([...ticks], { label: what === undefined ? unit : `${what}, ${unit}`, text: format }),
        across(ticks, { stroke: "currentColor", strokeOpacity: 0.15 }),
        ...marks,
        ...(mark === "bars"
          ? [
              barX(drawn, {
                y: "name",
                x: "low",
                fill: "group",
                ...inside(lineHeight / 2 - (narrow ? 6 : 8)),
              }),
            ]
          : []),
        ...whisker,
        // One value has no range.
        ...(mark === "bars"
          ? []
          : [
              dot(
                drawn.filter((one) => one.low === one.high),
                { x: "low", y: "name", fill: "group", stroke: "group", symbol: "group", r: 4 },
              ),
            ]),
        ...(line === undefined
          ? []
          : [
              across([line.at], { stroke: "currentColor", strokeDasharray: "4 3" }),
              text([line], {
                x: "at",
                text: "label",
                frameAnchor: "top",
                textAnchor: line.at > high / 2 ? "end" : "start",
                dy: 8 - top,
                fill: "currentColor",
              }),
            ]),
        ...(narrow
          ? []
          : [
              text(drawn, {
                y: "name",
                text: "label",
                frameAnchor: "right",
                textAnchor: "start",
                dx: 10,
                fill: "currentColor",
              }),
            ]),
      ],
    },
    readings: {
      along: "y",
      points: drawn.flatMap(({ name, group, values }) =>
        values.map(({ on, value }) => ({
          ...{ name: on, x: value, y: name, text: `${format(value)} ${unit}` },
          colour: colourIn(series, group, keys),
        })),
      ),
      heading: String,
    },
    columns,
    rows,
    numbers,
  });
}
