// The same results by the libraries' own binning: what the tests compare and the measurement times.
import * as Plot from "@observablehq/plot";
import { bin, type ColumnTable } from "arquero";
import sharp, { type Sharp } from "sharp";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { chart, style } from "./plot.ts";

/** sharp stretches the lightness, and not each channel. */
export const normalised = (picture: string | Buffer): Sharp =>
  sharp(picture).normalise({ lower: 1, upper: 99 });

/** @param thresholds the edges of the bins */
export function binnedByPlot(
  values: Float64Array,
  thresholds: readonly number[],
  document: Document,
): Element {
  const bins = Plot.binX({ y: "count" }, { x: Plot.identity, thresholds: [...thresholds], ...style });
  return Plot.plot({ ...chart, document, marks: [Plot.rectY(values, bins), Plot.ruleY([0])] });
}

export const groupedByArquero = (table: ColumnTable): ColumnTable =>
  table
    .groupby("carrier", { x0: bin("delay", { step: 4 }) })
    .count()
    .orderby("carrier", "x0");

export async function binnedByVega(values: Float64Array, step: number): Promise<string> {
  const spec: TopLevelSpec = {
    data: { values: values as unknown as number[] },
    mark: "bar",
    encoding: {
      x: { field: "data", bin: { step }, title: "Delay (min)" },
      y: { aggregate: "count", title: "Flights" },
    },
  };
  return await new View(parse(compile(spec).spec)).toSVG();
}
