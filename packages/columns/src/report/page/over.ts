import { type ColumnJson, type OverJson, type ProfileJson, stepText } from "../../profile/index.ts";
import { overRowsSpec, overSpec } from "../plots/over.ts";
import type { Plotter } from "../plots/svg.ts";
import { type Html, html } from "../text/html.ts";
import { percent, plural } from "../text/numbers.ts";
import { computedText, valueText } from "../text/values.ts";
import { plainName } from "../text/visible.ts";

const LABEL = 60;
/** Steps whose bins begin at midnight. */
const MIDNIGHTS: ReadonlySet<string> = new Set(["day", "week", "month", "year"]);

/** A column over the bins of the profile's `over`: its means, or the rows of the column itself. Null for all other columns. */
export async function overFigure(
  plotter: Plotter,
  column: ColumnJson,
  profile: ProfileJson,
): Promise<Html | null> {
  const { over } = profile;
  if (over === undefined) return null;
  const x = profile.columns.find(({ name }) => name === over.column)!;
  const by = `${stepText(over.step, x.logical)} of ${plainName(x.name, LABEL)}`;
  if (column.name === x.name) return rowsFigure(plotter, x, over, by);
  const found = over.columns.find(({ name }) => name === column.name);
  if (found === undefined || found.values.every((count) => count === 0)) return null;
  const { spec, hasBand } = overSpec(over, found, x.logical, column.logical);
  const name = plainName(column.name, LABEL);
  const most = Math.max(...found.nulls.map((nulls, i) => (over.rows[i]! > 0 ? nulls / over.rows[i]! : 0)));
  const caption = [
    `Mean ${by}.`,
    ...(hasBand ? ["The band goes from the smallest to the largest value."] : []),
    ...(most > 0 ? [`Below it, the share of nulls: at most ${percent(most, 1)}.`] : []),
  ].join(" ");
  return html`<figure>${await plotter.draw(spec, `Mean of ${name} ${by}`)}<figcaption>${caption}</figcaption></figure>`;
}

async function rowsFigure(plotter: Plotter, x: ColumnJson, over: OverJson, by: string): Promise<Html> {
  const { edges, rows, outside, nulls, step } = over;
  const [from, to] = [edges[0]!, edges.at(-1)!].map((edge) =>
    step.unit === null
      ? computedText(edge, x.logical, edges[1]! - edges[0]!)
      : valueText(edge, x.logical).replace(MIDNIGHTS.has(step.unit) ? / 00:00:00.*/ : "", ""),
  );
  const caption = [
    `Rows ${stepText(step, x.logical)}: ${plural(rows.length, "bin")} from ${from} to before ${to}.`,
    ...(outside > 0 ? [`${plural(outside, "row")} outside.`] : []),
    ...(nulls > 0 ? [`${plural(nulls, "row")} without a value.`] : []),
  ].join(" ");
  return html`<figure>${await plotter.draw(overRowsSpec(over, x.logical), `Rows ${by}`)}<figcaption>${caption}</figcaption></figure>`;
}
