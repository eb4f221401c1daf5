import { html } from "lit-html";
import { basisName, figure, isOurs, memoryOf, percent, ratio } from "../data/index.ts";
import { absent, type View } from "../show/index.ts";
import { contestants, picked } from "./groups.ts";
import { nothingOn } from "./nothing.ts";
import { spread } from "./spread.ts";

/** Every contestant on every distribution. The headline is worst over best. */
export const distributions: View = {
  id: "explore/distributions",
  title: "Distributions",
  question: "How much does the data matter?",
  about:
    "Every contestant on every distribution. Worst over best is its lowest throughput over its highest. Contestants with one distribution are left out, because one distribution says nothing about the data.",
  reads: "one machine",
  basis: "switch",
  render(context) {
    const plainRows = context.rows.filter(({ weighted }) => weighted === undefined);
    if (plainRows.length === 0) return nothingOn(context, "No plain histogram was measured");
    const { rows, fields, what } = picked(context, plainRows);
    const measured = contestants(rows, ({ gbps }) => gbps).filter((one) => one.rows.length > 1);
    const first = measured.find(({ worst }) => isOurs(worst)) ?? measured[0];
    if (first === undefined) {
      return html`${fields}${absent("No contestant was measured on more than one distribution. Choose other samples or another size.")}`;
    }
    const { worst } = first;
    return html`<ul class="cards">
        <li><strong>${ratio(first.worstOverBest)}</strong><span>worst over best of ${first.name}, which has polybin's fastest worst case</span></li>
        <li><strong>${figure(worst.gbps)} GB/s</strong><span>its slowest distribution: ${worst.distribution}</span></li>
        <li><strong>${worst.invalidCeiling ? "invalid" : percent(worst.ceilingPercent)}</strong><span>of the ceiling of ${memoryOf(worst)}, on that distribution</span></li>
      </ul>
      ${spread(context, measured, {
        title: `GB/s by distribution, ${basisName(context.basis)}: ${what}`,
        unit: "GB/s",
        speed: ({ gbps }) => gbps,
      })}
      ${fields}`;
  },
};
