import type { Mark, Scale, Title } from "vega";
import { around, type Frame, type Placed, placesOf, valuesOf, xAxis, yAxis } from "./axes.ts";
import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";

/** Thickness in pixels of the line that is the paper's number on a bar, and its colour. */
const TICK = 3;
export const INK = "#333";
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

/** A plot of points, and the paper's points over them if both sides share it. */
export interface Plot extends Placed {
  readonly title: Title;
  readonly frame: Frame;
  readonly y: Pick<EvaluatedPanel["y"], "label" | "scale">;
  /** The points that decide the axis of values and the bars of a place. */
  readonly values: readonly Point[];
  readonly points: readonly Point[];
  readonly paper?: readonly Point[];
}

/** Draws a plot as a Vega group. `series` lists those of the whole figure. */
export function plotOf(plot: Plot, series: readonly string[]): Mark {
  const { title, frame, mark, y, values, points, paper } = plot;
  const present = series.filter((name) => values.some((point) => point.series === name));
  const foot = y.scale === "log" ? around(values)[0] : 0;
  const data = (name: string, of: readonly Point[]) => ({
    name,
    values: of.map(({ series, x, y }) => ({ series, x, y })),
  });
  const isBar = mark === "bar";
  return {
    ...{ type: "group", title },
    encode: {
      update: { width: { value: frame.width }, height: { value: frame.height }, stroke: { value: "#ccc" } },
    },
    data: [data("points", points), ...(paper === undefined ? [] : [data("paper", paper)])],
    scales: [placesOf(plot, frame), valuesOf(y.scale, values, frame)],
    axes: [xAxis(plot, frame), yAxis(y, values)],
    marks: [
      ...(isBar ? [bars("points", foot, present)] : linesOf(points)),
      ...(paper === undefined ? [] : isBar ? [ticks(bars("paper", foot, present))] : hollow(paper)),
    ],
  };
}

/** Leaves out zeros if the axis is logarithmic, which has none. The table shows them. */
export function positive(scale: string, points: readonly Point[]): Point[] {
  return points.filter(({ y }) => scale !== "log" || y > 0);
}

/** Draws the bars of one place side by side, from `foot` up. */
function bars(data: string, foot: number, present: readonly string[]): Mark {
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
function linesOf(points: readonly Point[], data = "points"): Mark[] {
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

/** Makes lines across bars of the bars that would be at their ends. */
function ticks(bar: Mark): Mark {
  const { y, x, width, description } = bar.encode!.update!;
  return {
    ...bar,
    encode: {
      update: {
        ...{ x, width, description, stroke: { value: "white" }, strokeWidth: { value: 0.5 } },
        y: { ...(y as object), offset: -TICK / 2 },
        ...{ height: { value: TICK }, fill: { value: INK } },
      },
    },
  } as Mark;
}

/** Draws the paper's points hollow, so that ours stay visible. */
function hollow(paper: readonly Point[]): Mark[] {
  return linesOf(paper, "paper").map((mark) => restyled(mark));
}

function restyled(mark: Mark): Mark {
  if (mark.type === "group") return { ...mark, marks: mark.marks!.map(restyled) };
  const { update } = mark.encode!;
  const own =
    mark.type === "line"
      ? { strokeDash: { value: [4, 3] } }
      : {
          fill: { value: "white" },
          fillOpacity: { value: 0.6 },
          stroke: { scale: "colour", field: "series" },
          strokeWidth: { value: 2 },
          size: { value: 90 },
        };
  return { ...mark, encode: { update: { ...update, ...own } } } as Mark;
}
