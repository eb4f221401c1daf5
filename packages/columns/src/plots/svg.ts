import type { Spec } from "vega";

/** Draws a plot as an SVG document. Vega needs no browser. It is loaded on first use. */
export async function svgOf(specification: Spec): Promise<string> {
  const vega = await import("vega");
  const view = new vega.View(vega.parse(specification), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
