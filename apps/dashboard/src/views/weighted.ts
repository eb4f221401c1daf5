import { html } from "lit-html";
import type { Row } from "../data/types.ts";
import { figure, kindOf } from "../data/words.ts";
import { absent } from "../show/chart.ts";
import { plain, select } from "../show/controls.ts";
import { table } from "../show/table.ts";
import { contestants } from "./groups.ts";
import { spreadChart } from "./spread-chart.ts";
import { chosen, distinct, type View } from "./view.ts";

/** Values a second, in units of 10⁹. */
const speed = ({ valuesPerSecond }: Row): number => (valuesPerSecond ?? 0) / 1e9;

/** Sums of weights over tables of features. */
export const weighted: View = {
  id: "weighted",
  title: "Weighted sums",
  about:
    "Sums of weights over a table of features: features times documents a second, exact and the same bits on every run unless it says fast.",
  reads: true,
  render(context) {
    const rows = context.rows.filter(
      (row) => row.weighted !== undefined && row.valuesPerSecond !== undefined,
    );
    if (rows.length === 0) return absent("No weighted sums were measured on this machine at this commit.");
    const shapeOf = (row: Row) =>
      `${row.weighted!.features} features x ${row.weighted!.documents.toLocaleString("en")} documents, ${kindOf(row)}`;
    const shapes = most(rows, shapeOf);
    const shape = chosen(context, "shape", shapes);
    const ofShape = rows.filter((row) => shapeOf(row) === shape);
    const sums = most(ofShape, (row) => row.weighted!.adds);
    const adds = chosen(context, "adds", sums);
    const measured = contestants(
      ofShape.filter((row) => row.weighted!.adds === adds),
      speed,
    );
    const what = `${adds}, ${shape}`;
    return html`<div class="fields">
        ${select("Table", plain(shapes), shape, (value) => context.select({ shape: value, adds: null }))}
        ${select("Adds", plain(sums), adds, (value) => context.select({ adds: value }))}
      </div>
      ${table(
        ["contestant", "worst / best", "slowest", "on", "fastest", "on", "exact"],
        measured.map(({ name, worst, best, worstOverBest }) => [
          name,
          worstOverBest.toFixed(3),
          figure(speed(worst)),
          worst.distribution,
          figure(speed(best)),
          best.distribution,
          worst.exact ? "yes" : `off by ${figure(worst.offBy ?? Number.NaN)}`,
        ]),
        { caption: `10⁹ values a second: ${what}`, numbers: [1, 2, 4] },
      )}
      ${spreadChart(context, measured, { title: `10⁹ values a second: ${what}`, label: "10⁹ values/s", speed })}`;
  },
};

const most = (rows: readonly Row[], of: (row: Row) => string): string[] =>
  distinct(rows.map(of)).sort(
    (a, b) => rows.filter((row) => of(row) === b).length - rows.filter((row) => of(row) === a).length,
  );
