import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Evaluated, EvaluatedPanel } from "./evaluate.ts";
import { plotOf } from "./plot.ts";

const CONFIG = {
  font: "system-ui, sans-serif",
  axis: {
    ...{ labelFontSize: 11, titleFontSize: 11, titleFontWeight: "normal" },
    ...{ gridColor: "#e6e6e6", labelColor: "#333" },
  },
  legend: { labelFontSize: 11, title: null, orient: "bottom", columns: 3, labelLimit: 0, symbolSize: 70 },
  view: { stroke: "#ccc" },
};

/** Does any of a figure's panels have something to draw? */
export function hasChart({ panels }: Evaluated): boolean {
  return panels.some(isDrawn);
}

function isDrawn({ mark, paper, ours }: EvaluatedPanel): boolean {
  return mark !== "none" && paper.length + ours.length > 0;
}

/**
 * A figure as an SVG document: a row for each panel, the paper's numbers on the left and ours on the right, each with an
 * axis of its own, since the machines are many years apart. The same numbers give the same bytes.
 */
export async function chartOf(figure: Evaluated, paperMachine: string): Promise<string> {
  const drawn = figure.panels.filter(isDrawn);
  const points = drawn.flatMap(({ paper, ours }) => [...paper, ...ours]);
  const series = [...new Set(points.map((point) => point.series))];
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    padding: 12,
    config: CONFIG,
    spacing: 24,
    vconcat: drawn.map((panel) => ({
      title: { text: panel.title, anchor: "start", fontSize: 13, offset: 10 },
      spacing: 40,
      hconcat: [
        ...plotOf(panel, "paper", `the paper: ${paperMachine}`, series),
        ...plotOf(panel, "ours", `here: ${panel.machine || "worked out"}`, series),
      ],
    })),
  };
  // Vega numbers its clips and gradients through all documents of a process.
  vega.resetSVGDefIds();
  // The specification's own type refuses what is put together of parts; Vega-Lite checks it itself.
  const view = new vega.View(vega.parse(compile(spec as unknown as TopLevelSpec).spec), { renderer: "none" });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}
