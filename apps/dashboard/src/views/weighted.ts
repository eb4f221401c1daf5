import { html } from "lit-html";
import { basisName, exactness, isCeiling, kindOf, type Row } from "../data/index.ts";
import { chosen, plain, select, table, type View } from "../show/index.ts";
import { byCount, contestants } from "./groups.ts";
import { nothingOn } from "./nothing.ts";
import { spread } from "./spread.ts";

/** Values per second, in units of 10⁹. */
const speed = ({ valuesPerSecond }: Row): number => (valuesPerSecond ?? 0) / 1e9;

/** Sums of weights over tables of features. */
export const weighted: View = {
  id: "explore/weighted",
  title: "Weighted sums",
  question: "Which algorithm adds weights fastest, and are its sums exact?",
  about:
    "Sums of weights over a table of features, in features times documents per second. Sums are exact, with the same bits on every run, unless the name says fast.",
  reads: "one file",
  basis: "switch",
  drawable: (rows) =>
    rows.filter((row) => row.weighted !== undefined && row.valuesPerSecond !== undefined && !isCeiling(row)),
  render(context) {
    const { rows } = context;
    if (rows.length === 0) return nothingOn(context, "No weighted sums were measured");
    const shapeOf = (row: Row) =>
      `${row.weighted!.features.toLocaleString("en")} features x ${row.weighted!.documents.toLocaleString("en")} documents, ${kindOf(row)}`;
    const byShape = Map.groupBy(rows, shapeOf);
    const shapes = byCount(byShape);
    const shape = chosen(context, "shape", shapes);
    const byAdds = Map.groupBy(byShape.get(shape)!, (row) => row.weighted!.adds);
    const sums = byCount(byAdds);
    const adds = chosen(context, "adds", sums);
    const measured = contestants(byAdds.get(adds)!, speed);
    const what = `${adds}, ${shape}`;
    const title = `10⁹ values per second, ${basisName(context.basis)}: ${what}`;
    return html`${spread(context, measured, { title, unit: "10⁹ values/s", speed })}
      <div class="fields">
        ${select("Table", plain(shapes), shape, (value) => context.select({ shape: value, adds: null }))}
        ${select("Adds", plain(sums), adds, (value) => context.select({ adds: value }))}
      </div>
      ${table(
        ["program", "exact", "basis"],
        measured.map(({ name, rows: all }) => [name, exactness(all), basisName(context.basis)]),
        { caption: `Exactness: ${what}` },
      )}`;
  },
};
