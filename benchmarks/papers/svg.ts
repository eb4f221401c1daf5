import * as vega from "vega";

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
  title: { font: FONT, subtitleFont: FONT },
};

/** Renders a Vega specification as an SVG document. The same specification gives the same bytes. */
export async function svgOf(spec: Omit<vega.Spec, "$schema" | "config">): Promise<string> {
  // Vega numbers clips and gradients across all documents of a process.
  vega.resetSVGDefIds();
  const full: vega.Spec = {
    $schema: "https://vega.github.io/schema/vega/v6.json",
    background: "white",
    padding: 12,
    config: CONFIG,
    ...spec,
  };
  const view = new vega.View(vega.parse(full), { renderer: "none" });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

/** Makes the legend of a figure's series. Lines have symbols of their own. */
export function legendOf(series: readonly string[], hasSymbols: boolean): vega.Legend[] {
  if (series.length < 2) return [];
  return [{ fill: "colour", ...(hasSymbols ? { shape: "shape" } : { symbolType: "square" }) }];
}
