import type { OverColumnJson, ProfileJson } from "@polybin/columns/profile";
import { shortNumber, stepText, valueText } from "@polybin/columns/profile";
import { columnName, plural, printable } from "../base/index.ts";
import type { Page } from "../terminal/index.ts";
import { clip, GAP } from "./cells.ts";
import { sparkline } from "./sparkline.ts";

/** The widest name of a column, and the widest drawing. */
const NAME = 24;
const WIDEST = 40;
/** The narrowest page on which the means are drawn. */
const NARROWEST = 60;
/** The time of bins that begin at midnight. */
const MIDNIGHT = /T00:00:00Z?$/;
/** The lowest bar. Only a gap is 0. */
const LOWEST = 1e-9;

/** The means of all columns over the bins of a column, one line each. */
export function overLines({ over, columns }: ProfileJson, { width }: Page): string[] {
  if (over === undefined) return [];
  const x = columns.find(({ name }) => name === over.column)!;
  const { edges, rows, outside, nulls, step } = over;
  const [from, to] = [edges[0]!, edges.at(-1)!].map((edge) =>
    x.logical.kind === "number"
      ? shortNumber(edge)
      : printable(valueText(x.logical, edge)).replace(MIDNIGHT, ""),
  );
  const rest = [
    ...(outside > 0 ? [`${plural(outside, "row")} outside`] : []),
    ...(nulls > 0 ? [`${plural(nulls, "row")} without a value`] : []),
  ].map((text) => `, ${text}`);
  const head = `means over ${columnName(x.name)} ${stepText(step, x.logical)}: ${plural(rows.length, "bin")} from ${from} to before ${to}${rest.join("")}`;
  const widest = Math.min(NAME, Math.max(0, ...over.columns.map(({ name }) => columnName(name).length)));
  const room = width < NARROWEST ? 0 : WIDEST;
  return [
    head,
    ...over.columns.map((column) => `${GAP}${line(column, widest, room, scaleOf(column, columns))}`),
    "",
  ];
}

function line(column: OverColumnJson, widest: number, room: number, scale: number): string {
  const name = clip(columnName(column.name), widest).padEnd(widest);
  const means = joined(column, room);
  const held = column.mean.filter((mean) => mean !== null);
  if (held.length === 0) return `${name}${GAP}no values`;
  const [lo, hi] = [Math.min(...held), Math.max(...held)];
  const drawn = means.map((mean) => (mean === null ? 0 : Math.max(LOWEST, (mean - lo) / (hi - lo || 1))));
  const text = (mean: number): string => shortNumber(mean / scale);
  return `${name}${GAP}${room > 0 ? `${sparkline(drawn, room)}${GAP}` : ""}${lo === hi ? text(lo) : `${text(lo)} to ${text(hi)}`}`;
}

/** The stored units in one unit of a column: decimals are stored as integers. */
function scaleOf({ name }: OverColumnJson, columns: ProfileJson["columns"]): number {
  const { logical } = columns.find((column) => column.name === name)!;
  return logical.kind === "decimal" ? 10 ** logical.scale : 1;
}

/** The means of neighbouring bins together, as many as there is room for. */
function joined({ mean, values }: OverColumnJson, room: number): (number | null)[] {
  const each = Math.max(1, Math.ceil(mean.length / room));
  return Array.from({ length: Math.ceil(mean.length / each) }, (_, i) => {
    let [sum, count] = [0, 0];
    for (let bin = i * each; bin < Math.min(mean.length, (i + 1) * each); bin++) {
      sum += (mean[bin] ?? 0) * values[bin]!;
      count += values[bin]!;
    }
    return count === 0 ? null : sum / count;
  });
}
