import { html } from "lit-html";
import { isCeiling } from "../data/words.ts";
import { absent } from "../show/chart.ts";
import { contestants, picked } from "./groups.ts";
import { spreadChart } from "./spread-chart.ts";
import type { View } from "./view.ts";

/** Throughput as a share of the ceiling of the same run. */
export const ceiling: View = {
  id: "explore/ceiling",
  title: "% of ceiling",
  about:
    "Throughput as a share of the ceiling of the same run. The ceiling is the fastest kernel that only reads the same bytes. For data that are uploaded or read from a file, it is the plain copy.",
  reads: "one machine",
  basis: "kernel",
  render(context) {
    const known = context.rows.filter(
      (row) => row.weighted === undefined && row.ceilingPercent !== null && !isCeiling(row),
    );
    if (known.length === 0) return absent("No valid ceiling was measured on this machine at this commit.");
    const { rows, fields, what } = picked(context, known);
    const invalid = context.rows.filter((row) => row.invalidCeiling).length;
    const share = ({ ceilingPercent }: { ceilingPercent: number | null }) => ceilingPercent ?? 0;
    return html`${fields}${spreadChart(context, contestants(rows, share), {
      title: `% of ceiling: ${what}`,
      label: "% of ceiling",
      speed: share,
      mark: 100,
    })}
    ${invalid === 0 ? null : html`<p>${invalid} measured cells are not shown. They are faster than the ceiling that their run measured, so that ceiling is invalid. A kernel that reads few bytes mostly measures its own launch, and a plain copy of pageable memory is slower than one through page-locked memory.</p>`}`;
  },
};
