import { html } from "lit-html";
import { isCeiling } from "../data/words.ts";
import { absent } from "../show/chart.ts";
import { contestants, picked } from "./groups.ts";
import { spreadChart } from "./spread-chart.ts";
import type { View } from "./view.ts";

/** Throughput as a share of what the same run measured to be possible. */
export const ceiling: View = {
  id: "ceiling",
  title: "% of ceiling",
  about:
    "Throughput as a share of the fastest kernel that only reads the same bytes, in the same run; of the plain copy for data that are uploaded or read from a file.",
  reads: true,
  render(context) {
    const known = context.rows.filter(
      (row) => row.weighted === undefined && row.ceilingPercent !== null && !isCeiling(row),
    );
    if (known.length === 0) return absent("No ceiling was measured on this machine at this commit.");
    const { rows, fields, what } = picked(context, known);
    const share = ({ ceilingPercent }: { ceilingPercent: number | null }) => ceilingPercent ?? 0;
    return html`${fields}${spreadChart(context, contestants(rows, share), {
      title: `% of ceiling: ${what}`,
      label: "% of ceiling",
      speed: share,
      mark: 100,
    })}`;
  },
};
