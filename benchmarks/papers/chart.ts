import type { Mark } from "vega";
import type { Frame } from "./axes.ts";
import type { Evaluated, EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";
import { isDrawn } from "./overlay.ts";
import { coloursOf, plotOf, positive, shapesOf } from "./plot.ts";
import { legendOf, svgOf } from "./svg.ts";

/** Size of one plot. */
const FRAME: Frame = { width: 330, height: 200, ticks: 8 };

/** Whether any panel of a figure has points to draw. */
export function hasChart({ panels }: Evaluated): boolean {
  return panels.some(isDrawn);
}

/**
 * Draws a figure as an SVG document: one row per panel, with the paper's numbers on the left and ours on the right. Each
 * side has its own axes with its own units, since the machines are many years apart.
 */
export function chartOf(figure: Evaluated, paperMachine: string): Promise<string> {
  const drawn: readonly EvaluatedPanel[] = figure.panels.filter(isDrawn);
  const points = drawn.flatMap(({ paper, ours }) => [...paper, ...ours]);
  const series = [...new Set(points.map((point) => point.series))];
  return svgOf({
    layout: { columns: 1, padding: 24, bounds: "full", align: "each" },
    scales: [coloursOf(series), shapesOf(series)],
    legends: legendOf(
      series,
      drawn.some(({ mark }) => mark === "line"),
    ),
    marks: drawn.map((panel) => ({
      type: "group",
      title: { text: panel.title, anchor: "start", fontSize: 13, offset: 10 },
      layout: { columns: 2, padding: 40, bounds: "full", align: "each" },
      marks: [
        ...sideOf(panel, panel.paper, `The paper: ${paperMachine}`, series),
        ...sideOf(panel, panel.ours, `Ours: ${panel.machine || "computed"}`, series),
      ],
    })),
  });
}

/** Draws one side of a panel at the places of both, or nothing without points. */
function sideOf(
  panel: EvaluatedPanel,
  side: readonly Point[],
  text: string,
  series: readonly string[],
): Mark[] {
  const { mark, x, y, paper, ours } = panel;
  const points = positive(y.scale, side);
  if (points.length === 0) return [];
  const title = { text, fontSize: 11, fontWeight: "normal", anchor: "start" } as const;
  return [
    plotOf({ title, frame: FRAME, mark, x, y, places: [...paper, ...ours], values: points, points }, series),
  ];
}
