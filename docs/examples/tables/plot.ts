import * as Plot from "@observablehq/plot";
import type { Countable, Engine } from "@polybin/core";

/** Draws a histogram with Observable Plot. It replaces Plot's `binX`. @param document that of a page, or linkedom's */
export async function plotted(engine: Engine, values: Countable, document: Document): Promise<Element> {
  const h = await engine.histogram(values, { bins: 40, range: [-20, 140] });
  const bars = Plot.rectY(h.entries(), { x1: "x0", x2: "x1", y: "length", ...style });
  return Plot.plot({ ...chart, document, marks: [bars, Plot.ruleY([0])] });
}

export const style = { fill: "steelblue", insetLeft: 0.5, insetRight: 0.5 };
export const chart = {
  marginLeft: 55,
  x: { label: "Delay (min)", domain: [-20, 140] as const },
  y: { label: "Flights", grid: true },
};
