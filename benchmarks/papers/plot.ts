import type { Mark, Scale } from "vega";
import { around, type Frame, placesOf, valuesOf, xAxis, yAxis } from "./axes.ts";
import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";

/** Size of one plot. */
const FRAME: Frame = { width: 330, height: 200, ticks: 8 };
/** Colours that readers with colour blindness can distinguish (Okabe and Ito), then darker ones. */
const COLOURS = [
  ...["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"],
  ...["#56b4e9", "#000000", "#7a6f00", "#8c4a2f", "#5b5ea6"],
];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];
/** The fewest points of a series that a line joins. With fewer, a line would claim more than the paper's text. */
const JOINED = 5;
/** Number of points above which symbols are small. */
const MANY = 60;

/** Describes a point for screen readers. */
const TOLD = "datum.series + ', ' + datum.x + ': ' + format(datum.y, ',.4~r')";

/** Assigns a colour to each series of a figure, in all its plots. */
export function coloursOf(series: readonly string[]): Scale {
  return { name: "colour", type: "ordinal", domain: [...series], range: repeated(COLOURS, series) };
}

export function shapesOf(series: readonly string[]): Scale {
  return { name: "shape", type: "ordinal", domain: [...series], range: repeated(SHAPES, series) };
}

function repeated(range: readonly string[], series: readonly string[]): string[] {
  return series.map((_, i) => range[i % range.length]!);
}

/** Draws one side of a panel as a Vega group, or nothing without points. `series` lists those of the whole figure. */
export function plotOf(
  panel: EvaluatedPanel,
  side: "paper" | "ours",
  title: string,
  series: readonly string[],
): Mark[] {
  const onLog = panel.y.scale === "log";
  // A logarithmic axis has no 0. The table shows it.
  const points = panel[side].filter(({ y }) => !onLog || y > 0);
  if (points.length === 0) return [];
  const isBar = panel.mark === "bar";
  const present = series.filter((name) => points.some((point) => point.series === name));
  const foot = onLog ? around(points)[0] : 0;
  const group: Mark = {
    type: "group",
    title: { text: title, fontSize: 11, fontWeight: "normal", anchor: "start" },
    encode: {
      update: { width: { value: FRAME.width }, height: { value: FRAME.height }, stroke: { value: "#ccc" } },
    },
    data: [{ name: "points", values: points.map(({ series: name, x, y }) => ({ series: name, x, y })) }],
    scales: [placesOf(panel, FRAME), valuesOf(panel.y.scale, points, FRAME)],
    axes: [xAxis(panel, FRAME), yAxis(panel.y, points)],
    marks: isBar ? [bars("points", foot, present)] : linesOf(points),
  };
  return [group];
}

/** Draws the bars of one place side by side, from `foot` up. */
export function bars(data: string, foot: number, present: readonly string[]): Mark {
  const width = `bandwidth('x') / ${present.length}`;
  const number = `indexof(${JSON.stringify(present)}, datum.series)`;
  return {
    type: "rect",
    clip: true,
    from: { data },
    encode: {
      update: {
        x: { scale: "x", field: "x", offset: { signal: `${number} * ${width}` } },
        width: { signal: `max(0.25, ${width})` },
        y: { scale: "y", field: "y" },
        y2: { scale: "y", value: foot },
        fill: { scale: "colour", field: "series" },
        description: { signal: TOLD },
      },
    },
  };
}

/** Draws points, joined by a line if a series has enough. */
export function linesOf(points: readonly Point[], data = "points"): Mark[] {
  const lengths = [...Map.groupBy(points, (point) => point.series).values()].map((of) => of.length);
  const joined = Math.max(...lengths) >= JOINED;
  const place = { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" } };
  const symbols: Mark = {
    type: "symbol",
    from: { data },
    encode: {
      update: {
        ...place,
        size: { value: joined ? (points.length > MANY ? 14 : 34) : 60 },
        fill: { scale: "colour", field: "series" },
        description: { signal: TOLD },
        shape: { scale: "shape", field: "series" },
      },
    },
  };
  if (!joined) return [symbols];
  const line: Mark = {
    type: "line",
    sort: { field: "datum.x" },
    from: { data: "line" },
    encode: {
      update: { ...place, stroke: { scale: "colour", field: "series" }, strokeWidth: { value: 1.6 } },
    },
  };
  return [
    { type: "group", from: { facet: { name: "line", data, groupby: "series" } }, marks: [line] },
    symbols,
  ];
}
