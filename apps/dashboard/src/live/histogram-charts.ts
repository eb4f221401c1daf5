import { areaY, lineY, pointerX, ruleX, tip } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { figure } from "../data/words.ts";
import { chart, isNarrow } from "../show/chart.ts";
import { table } from "../show/table.ts";
import type { Counted } from "./counted.ts";
import { PERCENTILES, percentile } from "./percentiles.ts";

const CHANNELS: readonly string[] = ["red", "green", "blue", "alpha"];
/** Ticks of a logarithmic axis that begins at 0. */
const TENS: readonly number[] = [0, ...Array.from({ length: 8 }, (_, i) => 10 ** (i + 1))];
const GAP = 24;

/** Whether every pixel has the highest alpha. */
export const isOpaque = ({ counts }: Counted): boolean =>
  counts[3]!.every((count, value) => count === 0 || value === 255);

/** Draws one plot per channel, and a table of percentiles. Opaque pictures show no alpha. */
export function histogramCharts(width: number, result: Counted, log: boolean): TemplateResult {
  const { counts } = result;
  const shown = CHANNELS.slice(0, isOpaque(result) ? 3 : 4).map((name, i) => ({ name, counts: counts[i]! }));
  const each = isNarrow(width) ? width : Math.floor((width - GAP) / 2);
  return html`${table(
    ["percentile", ...shown.map(({ name }) => name)],
    PERCENTILES.map((percent) => [
      `${percent}%`,
      ...shown.map((channel) => percentile(channel.counts, percent)),
    ]),
    {
      caption: "Percentile p: at least p% of the pixels have this value or a smaller one",
      numbers: shown.map((_, i) => i + 1),
    },
  )}
    <div class="charts">${shown.map(({ name, counts: channel }) => one(each, name, channel, log))}</div>`;
}

function one(width: number, name: string, counts: readonly number[], log: boolean): TemplateResult {
  const colour = `var(--${name})`;
  const most = Math.max(...counts);
  const steps = [...counts, counts.at(-1)!].map((count, value) => ({ value, count }));
  const bins = counts.map((count, value) => ({ value, count }));
  return chart({
    title: name,
    width,
    options: {
      height: 200,
      marginLeft: 52,
      x: { domain: [0, 256], label: "value", ticks: [0, 64, 128, 192, 255] },
      y: {
        label: "pixels",
        grid: true,
        ticks: log ? TENS.filter((tick) => tick <= most) : 4,
        tickFormat: (count: number) => figure(count),
        ...(log ? { type: "symlog", constant: 1 } : { zero: true }),
      },
      marks: [
        // The height of a filled area has a meaning on a linear axis only.
        log
          ? lineY(steps, { x: "value", y: "count", stroke: colour, curve: "step-after" })
          : areaY(steps, { x: "value", y: "count", fill: colour, curve: "step-after" }),
        ruleX(
          [5, 50, 95].map((percent) => percentile(counts, percent) + 0.5),
          { stroke: "currentColor", strokeDasharray: "3 3" },
        ),
        tip(
          bins,
          pointerX({
            x: "value",
            y: "count",
            title: (d: (typeof bins)[number]) => `${d.count.toLocaleString("en")} pixels at ${d.value}`,
          }),
        ),
      ],
    },
    columns: ["value", "pixels"],
    numbers: [0, 1],
    rows: counts.map((count, value) => [value, count.toLocaleString("en")]),
  });
}
