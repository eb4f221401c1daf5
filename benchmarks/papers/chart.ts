import type { Evaluated, EvaluatedPanel } from "./evaluate.ts";
import { isDrawn } from "./overlay.ts";
import { coloursOf, plotOf, shapesOf } from "./plot.ts";
import { legendOf, svgOf } from "./svg.ts";

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
        ...plotOf(panel, "paper", `The paper: ${paperMachine}`, series),
        ...plotOf(panel, "ours", `Ours: ${panel.machine || "computed"}`, series),
      ],
    })),
  });
}
