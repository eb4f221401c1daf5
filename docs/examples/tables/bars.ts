import type { Countable, Engine } from "@polybin/core";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** Draws a histogram with Vega-Lite. It replaces `bin: true` and `aggregate: "count"`. */
export async function bars(engine: Engine, values: Countable): Promise<string> {
  const h = await engine.histogram(values, { bins: 40, range: [-20, 140] });
  const spec: TopLevelSpec = { data: { values: h.entries() }, mark: "bar", encoding };
  return await new View(parse(compile(spec).spec)).toSVG();
}

const encoding = {
  x: { field: "x0", bin: "binned", title: "Delay (min)" },
  x2: { field: "x1" },
  y: { field: "length", type: "quantitative", title: "Flights" },
} as const;
