import * as vega from "vega";
import type { Evaluated, EvaluatedPanel } from "./evaluate.ts";
import { coloursOf, plotOf, shapesOf } from "./plot.ts";

const FONT = "system-ui, sans-serif";

const CONFIG: vega.Config = {
  axis: {
    ...{ labelFont: FONT, titleFont: FONT, labelFontSize: 11, titleFontSize: 11, titleFontWeight: "normal" },
    ...{ gridColor: "#e6e6e6", labelColor: "#333", domainColor: "#888", tickColor: "#888" },
  },
  legend: {
    ...{ labelFont: FONT, labelFontSize: 11, orient: "bottom", columns: 3, labelLimit: 0, symbolSize: 70 },
    ...{ direction: "horizontal", columnPadding: 24, offset: 16, symbolStrokeColor: "transparent" },
  },
  title: { font: FONT },
};

/** Whether any panel of a figure has points to draw. */
export function hasChart({ panels }: Evaluated): boolean {
  return panels.some(isDrawn);
}

function isDrawn({ mark, paper, ours }: EvaluatedPanel): boolean {
  return mark !== "none" && paper.length + ours.length > 0;
}

/**
 * Draws a figure as an SVG document: one row per panel, with the paper's numbers on the left and ours on the right. Each
 * side has its own axes, since the machines are many years apart. The same numbers give the same bytes.
 */
export async function chartOf(figure: Evaluated, paperMachine: string): Promise<string> {
  const drawn = figure.panels.filter(isDrawn);
  const points = drawn.flatMap(({ paper, ours }) => [...paper, ...ours]);
  const series = [...new Set(points.map((point) => point.series))];
  const symbols = drawn.some(({ mark }) => mark === "line");
  const legend: vega.Legend = {
    fill: "colour",
    ...(symbols ? { shape: "shape" } : { symbolType: "square" }),
  };
  const spec: vega.Spec = {
    $schema: "https://vega.github.io/schema/vega/v6.json",
    background: "white",
    padding: 12,
    config: CONFIG,
    layout: { columns: 1, padding: 24, bounds: "full", align: "each" },
    scales: [coloursOf(series), shapesOf(series)],
    ...(series.length > 1 ? { legends: [legend] } : {}),
    marks: drawn.map((panel) => ({
      type: "group",
      title: { text: panel.title, anchor: "start", fontSize: 13, offset: 10 },
      layout: { columns: 2, padding: 40, bounds: "full", align: "each" },
      marks: [
        ...plotOf(panel, "paper", `The paper: ${paperMachine}`, series),
        ...plotOf(panel, "ours", `Ours: ${panel.machine || "computed"}`, series),
      ],
    })),
  };
  // Vega numbers clips and gradients across all documents of a process.
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(spec), { renderer: "none" });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}
