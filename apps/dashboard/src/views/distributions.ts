import { html } from "lit-html";
import { figure, percent, ratio } from "../data/words.ts";
import { absent } from "../show/chart.ts";
import { table } from "../show/table.ts";
import { cellLink } from "./cell-link.ts";
import { contestants, picked } from "./groups.ts";
import { spreadChart } from "./spread-chart.ts";
import type { View } from "./view.ts";

/** Every contestant on every distribution. The headline is worst over best. */
export const distributions: View = {
  id: "explore/distributions",
  title: "Distributions",
  about:
    "How much the data matter: every contestant on every distribution. The headline is its lowest throughput over its highest.",
  reads: "one machine",
  basis: "kernel",
  render(context) {
    const plainRows = context.rows.filter(({ weighted }) => weighted === undefined);
    const { rows, fields, what } = picked(context, plainRows);
    const measured = contestants(rows, ({ gbps }) => gbps).filter((one) => one.rows.length > 1);
    if (measured.length === 0) {
      return html`${fields}${absent("No contestant was measured on more than one distribution. Choose other samples or another size.")}`;
    }
    const [first] = measured;
    return html`${fields}
      <ul class="cards">
        <li><strong>${ratio(first!.worstOverBest)}</strong><span>worst over best of ${first!.name}, which has the fastest worst case</span></li>
        <li><strong>${figure(first!.worst.gbps)} GB/s</strong><span>its slowest distribution: ${first!.worst.distribution}</span></li>
        <li><strong>${percent(first!.worst.ceilingPercent)}</strong><span>of the memory's ceiling, on that distribution</span></li>
      </ul>
      ${table(
        [
          "contestant",
          "worst / best",
          "slowest GB/s",
          "on",
          "fastest GB/s",
          "on",
          "% of ceiling, slowest",
          "runs",
        ],
        measured.map(({ name, worst, best, worstOverBest }) => [
          name,
          ratio(worstOverBest),
          figure(worst.gbps),
          worst.distribution,
          figure(best.gbps),
          best.distribution,
          percent(worst.ceilingPercent),
          cellLink(worst),
        ]),
        { caption: what, numbers: [1, 2, 4, 6] },
      )}
      ${spreadChart(context, measured, { title: `GB/s by distribution: ${what}`, label: "GB/s", speed: ({ gbps }) => gbps })}`;
  },
};
