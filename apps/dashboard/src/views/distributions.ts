import { html } from "lit-html";
import {
  basisName,
  figure,
  isCeiling,
  isOurs,
  kindOf,
  memoryOf,
  nameOf,
  percent,
  ratio,
} from "../data/index.ts";
import type { View } from "../show/index.ts";
import { contestants, picked } from "./groups.ts";
import { nothingOn } from "./nothing.ts";
import { spread } from "./spread.ts";

/** Every contestant on every distribution. The headline is worst over best. */
export const distributions: View = {
  id: "explore/distributions",
  title: "Distributions",
  question: "How much does the data matter?",
  about:
    "Every program and way to call it on every distribution. Worst over best is its lowest throughput over its highest. Those with one distribution are left out, because one distribution says nothing about the data.",
  reads: "one file",
  basis: "switch",
  // One distribution says nothing about the data.
  drawable: (rows) => {
    const plainRows = rows.filter((row) => row.weighted === undefined && !isCeiling(row));
    const groups = Map.groupBy(plainRows, (row) =>
      [nameOf(row), kindOf(row), row.n, row.residence].join(" "),
    );
    return [...groups.values()].filter((of) => new Set(of.map((row) => row.distribution)).size > 1).flat();
  },
  render(context) {
    const { rows: plainRows } = context;
    if (plainRows.length === 0) return nothingOn(context, "No plain histogram was measured");
    const { rows, fields, what } = picked(context, plainRows);
    const measured = contestants(rows, ({ gbps }) => gbps);
    const first = measured.find(({ worst }) => isOurs(worst)) ?? measured[0]!;
    const { worst } = first;
    return html`<ul class="cards">
        <li><strong>${ratio(first.worstOverBest)}</strong><span>worst over best of ${first.name}, which has the fastest worst case${isOurs(worst) ? " of polybin" : ""}</span></li>
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
