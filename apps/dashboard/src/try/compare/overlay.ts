import { dot, rect, ruleY } from "@observablehq/plot";
import type { TemplateResult } from "lit-html";
import { figure } from "../../data/index.ts";
import { chart, isNarrow, seriesOf } from "../../show/index.ts";
import { nameOf } from "./form.ts";
import { measuredRounds, type Run, spreadOf } from "./runs.ts";

/** Draws the rounds of up to two runs over each other, with their medians and quartiles. */
export function overlay(runs: readonly Run[], width: number): TemplateResult {
  const series = runs.map((run, i) => `${letter(i)}: ${nameOf(run.job)}`);
  const { shown } = seriesOf(series);
  const all = runs.flatMap((run, i) =>
    measuredRounds(run).map((round, at) => ({ ...round, at: at + 1, series: series[i]! })),
  );
  const points = all.filter(({ series: name }) => shown.includes(name));
  const spreads = runs.flatMap((run, i) => {
    const spread = spreadOf(run);
    return spread === null || !shown.includes(series[i]!) ? [] : [{ ...spread, series: series[i]! }];
  });
  const most = Math.max(2, ...all.map(({ at }) => at));
  return chart({
    title: "GB/s of each measured round, whole calls; line: median, band: quartiles",
    width,
    series,
    options: {
      height: isNarrow(width) ? 260 : 320,
      marginLeft: 56,
      x: { label: "round", domain: [0, most + 1], ticks: isNarrow(width) ? 5 : 10 },
      y: { label: "GB/s", zero: true, grid: true, tickFormat: figure },
      marks: [
        rect(spreads, { x1: 0, x2: most + 1, y1: "low", y2: "high", fill: "series", fillOpacity: 0.18 }),
        ruleY(spreads, { y: "middle", stroke: "series", strokeWidth: 1.5 }),
        dot(points, { x: "at", y: "gbps", stroke: "series", fill: "series", symbol: "series", r: 3 }),
      ],
    },
    readings: {
      along: "x",
      points: points.map(({ at, gbps, ms, series: name }) => ({
        name,
        x: at,
        y: gbps,
        text: `${figure(gbps)} GB/s, ${figure(ms)} ms`,
      })),
      heading: (round) => `Round ${round}`,
    },
    columns: ["run", "round", "ms", "GB/s"],
    numbers: [1, 2, 3],
    rows: all.map(({ series: name, at, ms, gbps }) => [name, at, figure(ms), figure(gbps)]),
  });
}

/** The letter of the first or second of two runs. */
export const letter = (i: number): string => (i === 0 ? "A" : "B");
