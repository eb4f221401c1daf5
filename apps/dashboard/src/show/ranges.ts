import { barX, dot, type Markish, ruleX, ruleY, text, tickX } from "@observablehq/plot";
import type { TemplateResult } from "lit-html";
import { chart, isNarrow } from "./chart.ts";
import { widest } from "./end-labels.ts";
import { namesOf } from "./names.ts";
import { seriesOf, showsAll } from "./series.ts";
import type { Cell } from "./table.ts";
import { axisOf, decimalTicks } from "./ticks.ts";

/** A line of the plot: one value for each distribution. */
export interface Range {
  readonly name: string;
  /** Name of the series that it belongs to. */
  readonly series: string;
  readonly values: readonly { readonly on: string; readonly value: number }[];
  /** Written at the end of its line. */
  readonly label: string;
}

export interface Ranges {
  readonly title: string;
  readonly width: number;
  readonly ranges: readonly Range[];
  readonly series: readonly string[];
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
/** The most lines until the reader asks for all. The first one of each series is always among them. */
const MOST = 12;

const inside = (pixels: number) => ({ insetTop: pixels, insetBottom: pixels });

/** Draws one line per name, from its lowest to its highest value. */
export function ranges(of: Ranges): TemplateResult {
  const { title, width, unit, format, mark, log = false, line, columns, rows, numbers } = of;
  const series = of.series.filter((name) => of.ranges.some((range) => range.series === name));
  const { shown } = seriesOf(series);
  const narrow = isNarrow(width);
  const first = new Set(series.map((name) => of.ranges.find((range) => range.series === name)));
  const drawn = of.ranges
    .filter((range, i) => showsAll() || i < MOST || first.has(range))
    .filter((range) => shown.includes(range.series))
    .map(({ name, series: group, values, label }) => {
      const only = values.map(({ value }) => value);
      return { name, group, values, label, low: Math.min(...only), high: Math.max(...only) };
    });
  const names = drawn.map(({ name }) => name);
  const room = widest(drawn.map(({ label }) => label));
  const labelled = (name: string) => `${name}\n${drawn.find((one) => one.name === name)!.label}`;
  const { marks, marginLeft, lineHeight } = namesOf(
    names,
    narrow,
    Math.floor(width * NAMES_SHARE),
    narrow ? labelled : undefined,
  );
  const marginRight = narrow ? 16 : room + 16;
  const top = line === undefined ? 8 : TOP;
  const most = Math.max(2, Math.floor((width - marginLeft - marginRight) / TICK));
  const [low, high] = [
    Math.min(...drawn.map((one) => one.low), line?.at ?? Infinity),
    Math.max(...drawn.map((one) => one.high), line?.at ?? -Infinity),
  ];
  const whisker: Markish[] = [
    ruleY(drawn, {
      y: "name",
      x1: "low",
      x2: "high",
      stroke: mark === "bars" ? "currentColor" : "group",
      strokeWidth: mark === "bars" ? 1.5 : 4,
    }),
    tickX(
      drawn.flatMap(({ name, low: a, high: b }) => [a, b].map((at) => ({ name, at }))),
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
    title,
    width,
    series,
    ...(of.ranges.length > MOST ? { total: of.ranges.length } : {}),
    options: {
      height: top + 40 + drawn.length * lineHeight,
      marginLeft,
      marginRight,
      marginTop: top,
      x: {
        label: unit,
        ...(log ? { type: "log" } : { zero: true, grid: true, tickFormat: format, ticks: Math.min(8, most) }),
      },
      y: { type: "band", domain: names, label: null, axis: null, padding: 0 },
      marks: [
        ...(log ? axisOf("x", decimalTicks(low, high, most), unit, format) : []),
        ...marks,
        ...(mark === "bars"
          ? [
              barX(drawn, {
                y: "name",
                x: "low",
                fill: "group",
                fillOpacity: 0.85,
                ...inside(lineHeight / 2 - (narrow ? 6 : 8)),
              }),
            ]
          : []),
        ...whisker,
        // One value has no range.
        dot(
          drawn.filter((one) => one.low === one.high),
          { x: "low", y: "name", fill: "currentColor", r: 3 },
        ),
        ...(line === undefined
          ? []
          : [
              ruleX([line.at], { stroke: "currentColor", strokeDasharray: "4 3" }),
              text([line], {
                x: "at",
                text: "label",
                frameAnchor: "top",
                textAnchor: line.at > high / 2 ? "end" : "start",
                dy: 8 - TOP,
                fill: "currentColor",
              }),
            ]),
        ...(narrow
          ? []
          : [
              text(drawn, {
                x: "high",
                y: "name",
                text: "label",
                textAnchor: "start",
                dx: 8,
                fill: "currentColor",
                stroke: "var(--page)",
                strokeWidth: 4,
              }),
            ]),
      ],
    },
    readings: {
      along: "y",
      points: drawn.flatMap(({ name, values }) =>
        values.map(({ on, value }) => ({ name: on, x: value, y: name, text: `${format(value)} ${unit}` })),
      ),
      heading: String,
    },
    columns,
    rows,
    numbers,
  });
}
