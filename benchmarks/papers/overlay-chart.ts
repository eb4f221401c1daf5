import type { Mark, Scale } from "vega";
import { around, type Frame, placesOf, valuesOf, xAxis, yAxis } from "./axes.ts";
import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";
import { captionOf, isDrawn, isSpeed, type Overlaid, type OverlaidSide, relative } from "./overlay.ts";
import { bars, coloursOf, linesOf, shapesOf } from "./plot.ts";
import { legendOf, svgOf } from "./svg.ts";

/** Size of one plot. Three of them stand side by side. */
const FRAME: Frame = { width: 236, height: 170, ticks: 4 };
/** Thickness in pixels of the line that is the paper's number on a bar. */
const TICK = 3;
const INK = "#333";
/** Panels in a row if each has one backend. */
const COLUMNS = 2;

/** Makes the legend's scales that distinguish the paper's marks from ours. */
function whoOf(onlyBars: boolean): Scale[] {
  const scale = (name: string, range: string[]): Scale => ({
    ...{ name, type: "ordinal", domain: ["ours", "the paper's"], range },
  });
  return [
    scale("who", ["#666", "white"]),
    scale("whose", onlyBars ? ["square", "stroke"] : ["circle", "circle"]),
  ];
}

/**
 * Draws a figure as an SVG document: one row per panel, and in it one plot per backend with the paper's numbers over ours.
 * Both are relative, so the plot compares relations and not speeds.
 */
export function overlayChartOf(panels: readonly Overlaid[]): Promise<string> {
  const drawn = panels.filter(isShown);
  const points = drawn.flatMap(({ panel, sides }) => [
    ...panel.paper,
    ...sides.flatMap((side) => side.points),
  ]);
  const series = [...new Set(points.map((point) => point.series))];
  const hasPaper = drawn.some(({ panel }) => panel.paper.length > 0);
  const onlyBars = drawn.every(({ panel }) => panel.mark === "bar");
  const isSingle = drawn.every(({ sides }) => sides.length === 1);
  return svgOf({
    layout: { columns: isSingle ? COLUMNS : 1, padding: 24, bounds: "full", align: "each" },
    scales: [coloursOf(series), shapesOf(series), ...whoOf(onlyBars)],
    legends: [
      ...legendOf(
        series,
        drawn.some(({ panel }) => panel.mark === "line"),
      ),
      ...(hasPaper ? [{ fill: "who", shape: "whose", symbolStrokeColor: INK } as const] : []),
    ],
    marks: drawn.map(({ panel, sides }) => {
      const all = sides.flatMap((side) => [
        ...relative(panel.paper, side.paperUnit),
        ...relative(side.points, side.unit),
      ]);
      return {
        type: "group",
        title: { text: panel.title, anchor: "start", fontSize: 13, offset: 10 },
        layout: { columns: sides.length, padding: 30, bounds: "full", align: "each" },
        marks: sides.map((side) => plotOf(panel, side, positive(panel, all), series)),
      };
    }),
  });
}

/** Whether a panel has points of any side that a plot can show. */
export function isShown({ panel, sides }: Overlaid): boolean {
  return sides.some(({ points }) => isDrawn({ ...panel, ours: points }));
}

/** Leaves out zeros if the axis is logarithmic. The table shows them. */
function positive({ y }: EvaluatedPanel, points: readonly Point[]): Point[] {
  return points.filter((point) => y.scale !== "log" || point.y > 0);
}

function plotOf(
  panel: EvaluatedPanel,
  side: OverlaidSide,
  all: readonly Point[],
  series: readonly string[],
): Mark {
  const paper = positive(panel, relative(panel.paper, side.paperUnit));
  const ours = positive(panel, relative(side.points, side.unit));
  const places = { mark: panel.mark, x: panel.x, paper: [], ours: all };
  return {
    type: "group",
    title: {
      ...{ text: side.label, subtitle: [...captionOf(panel, side)], fontSize: 12, subtitleFontSize: 11 },
      ...{ anchor: "start", subtitlePadding: 2 },
    },
    encode: {
      update: { width: { value: FRAME.width }, height: { value: FRAME.height }, stroke: { value: "#ccc" } },
    },
    data: [
      { name: "points", values: ours },
      { name: "paper", values: paper },
    ],
    scales: [placesOf(places, FRAME), valuesOf(panel.y.scale, all, FRAME)],
    axes: [
      xAxis(places, FRAME),
      yAxis({ label: isSpeed(panel) ? "relative" : panel.y.label, scale: panel.y.scale }, all),
    ],
    marks: panel.mark === "bar" ? overBars(panel, all, series) : [...linesOf(ours), ...hollow(paper)],
  };
}

/** Draws our numbers as bars and the paper's as lines across them. */
function overBars(panel: EvaluatedPanel, all: readonly Point[], series: readonly string[]): Mark[] {
  const present = series.filter((name) => all.some((point) => point.series === name));
  const foot = panel.y.scale === "log" ? around(all)[0] : 0;
  const [bar, tick] = [bars("points", foot, present), bars("paper", foot, present)];
  const { y, x, width, description } = tick.encode!.update!;
  return [
    bar,
    {
      ...tick,
      encode: {
        update: {
          ...{ x, width, description, stroke: { value: "white" }, strokeWidth: { value: 0.5 } },
          y: { ...(y as object), offset: -TICK / 2 },
          ...{ height: { value: TICK }, fill: { value: INK } },
        },
      },
    } as Mark,
  ];
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
