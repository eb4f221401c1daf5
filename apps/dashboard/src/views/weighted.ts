import { html } from "lit-html";
import type { Row } from "../data/types.ts";
import { exactness, figure, kindOf, ratio } from "../data/words.ts";
import { absent } from "../show/chart.ts";
import { plain, select } from "../show/controls.ts";
import { table } from "../show/table.ts";
import { byCount, contestants } from "./groups.ts";
import { spreadChart } from "./spread-chart.ts";
import { chosen, type View } from "./view.ts";

/** Values per second, in units of 10⁹. */
const speed = ({ valuesPerSecond }: Row): number => (valuesPerSecond ?? 0) / 1e9;

/** Sums of weights over tables of features. */
export const weighted: View = {
  id: "explore/weighted",
  title: "Weighted sums",
  about:
    "Sums of weights over a table of features, in features times documents per second. Sums are exact, with the same bits on every run, unless the name says fast.",
  reads: "one machine",
  basis: "kernel",
  render(context) {
    const rows = context.rows.filter(
      (row) => row.weighted !== undefined && row.valuesPerSecond !== undefined,
    );
    if (rows.length === 0) return absent("No weighted sums were measured on this machine at this commit.");
    const shapeOf = (row: Row) =>
      `${row.weighted!.features} features x ${row.weighted!.documents.toLocaleString("en")} documents, ${kindOf(row)}`;
    const byShape = Map.groupBy(rows, shapeOf);
    const shapes = byCount(byShape);
    const shape = chosen(context, "shape", shapes);
    const byAdds = Map.groupBy(byShape.get(shape)!, (row) => row.weighted!.adds);
    const sums = byCount(byAdds);
    const adds = chosen(context, "adds", sums);
    const measured = contestants(byAdds.get(adds)!, speed);
    const what = `${adds}, ${shape}`;
    return html`<div class="fields">
        ${select("Table", plain(shapes), shape, (value) => context.select({ shape: value, adds: null }))}
        ${select("Adds", plain(sums), adds, (value) => context.select({ adds: value }))}
      </div>
      ${table(
        ["contestant", "worst / best", "slowest", "on", "fastest", "on", "exact"],
        measured.map(({ name, rows: all, worst, best, worstOverBest }) => [
          name,
          ratio(worstOverBest),
          figure(speed(worst)),
          worst.distribution,
          figure(speed(best)),
          best.distribution,
          exactness(all),
        ]),
        { caption: `10⁹ values per second: ${what}`, numbers: [1, 2, 4] },
      )}
      ${spreadChart(context, measured, { title: `10⁹ values per second: ${what}`, label: "10⁹ values/s", speed })}`;
  },
};
