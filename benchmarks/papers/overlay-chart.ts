import type { Scale } from "vega";
import type { Frame } from "./axes.ts";
import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";
import { captionOf, isDrawn, isSpeed, type Overlaid, type OverlaidSide, relative } from "./overlay.ts";
import { coloursOf, INK, type Plot, plotOf, positive, shapesOf } from "./plot.ts";
import { legendOf, svgOf } from "./svg.ts";

/** Size of one plot. Three of them stand side by side. */
const FRAME: Frame = { width: 236, height: 170, ticks: 4 };
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
        marks: sides.map((side) => plotOf(overlaid(panel, side, positive(panel.y.scale, all)), series)),
      };
    }),
  });
}

/** Whether a panel has points of any side that a plot can show. */
export function isShown({ panel, sides }: Overlaid): boolean {
  return sides.some(({ points }) => isDrawn({ ...panel, ours: points }));
}

/** Draws a backend's numbers of a panel with the paper's over them. */
function overlaid(panel: EvaluatedPanel, side: OverlaidSide, all: readonly Point[]): Plot {
  const { mark, x, y } = panel;
  const label = isSpeed(panel) ? "relative" : y.label;
  return {
    ...{ mark, x, y: { label, scale: y.scale }, frame: FRAME, places: all, values: all },
    title: {
      ...{ text: side.label, subtitle: [...captionOf(panel, side)], fontSize: 12, subtitleFontSize: 11 },
      ...{ anchor: "start", subtitlePadding: 2 },
    },
    points: positive(y.scale, relative(side.points, side.unit)),
    paper: positive(y.scale, relative(panel.paper, side.paperUnit)),
  };
}
