import type { ColumnResult } from "@polybin/cluster/shards";
import { wrapAnsi } from "fast-wrap-ansi";
import { columnName, duration, inputsName, plural } from "../../base/index.ts";
import { emptyLine, type Page, stdoutPage } from "../../terminal/index.ts";
import { typeName, valueTextOf } from "../../values/index.ts";
import { channelsOf } from "../channels.ts";
import type { TableResult } from "../result.ts";
import { type Chosen, panels, work } from "./chart.ts";

/** The most rows of a panel if there are several columns. */
const ROWS_OF_SMALL = 5;

/** The result as charts for a terminal: the columns one after the other. */
export function tableChart(result: TableResult, chosen: Chosen, page: Page = stdoutPage()): string {
  const { rows, columns } = result;
  const wrapped = (text: string): string => wrapAnsi(text, page.width);
  if (rows === 0) return `${wrapped(tableTitle(result))}\n\n${emptyLine(result.name)}\n`;
  return [
    wrapped(tableTitle(result)),
    ...(result.notRead ?? []).map((column) =>
      wrapped(`${columnName(column.name)} is not counted: ${column.reason}`),
    ),
    "",
    ...columns.flatMap((column) => [
      wrapped(columnLine(column, result)),
      ...charts(column, result, chosen, page),
    ]),
    foot(result, chosen, page),
    "",
  ].join("\n");
}

/** The files, and how much they hold. */
export function tableTitle({
  name,
  more,
  format,
  rows,
}: Pick<TableResult, "name" | "more" | "format" | "rows">): string {
  return `${inputsName(name, more + 1)}  ${plural(rows, "row")} of ${format}`;
}

/** A column in one line: its type and unit, its bins and its nulls. */
function columnLine({ column, axis, groups, nulls }: ColumnResult, { by }: TableResult): string {
  const { text, scale } = valueTextOf(column.type);
  const edges = groups[0]?.histogram.edges;
  const bins =
    axis === null || axis.type === "boolean"
      ? []
      : axis.type === "category"
        ? [plural(axis.bins, "different value")]
        : axis.type === "integer"
          ? [`${plural(axis.bins, "value")} from ${text(axis.start)} to ${text(axis.stop - 1)}`]
          : [
              plural(axis.bins, "bin"),
              ...(edges === undefined ? [] : [`over [${text(edges[0]!)}, ${text(edges.at(-1)!)}]`]),
            ];
  const about = [
    `${typeName(column.type)}${scale === "utc" && column.type.kind === "timestamp" ? " (UTC)" : ""}`,
    bins.join(" "),
    ...(nulls > 0 ? [plural(nulls, "null")] : []),
    ...(by !== null && groups.length > 1
      ? [`one panel per ${columnName(by.name)}, all on the same scales`]
      : []),
  ].filter((part) => part !== "");
  return `${columnName(column.name)}: ${about.join(", ")}`;
}

function charts(column: ColumnResult, result: TableResult, { view }: Chosen, page: Page): string[] {
  const channels = channelsOf(column, result, view);
  if (channels.length === 0) return ["there are no values", ""];
  const isShared = result.by !== null && channels.length > 1;
  return panels(channels, view, page, { isShared, rows: result.columns.length > 1 ? ROWS_OF_SMALL : null });
}

function foot({ work: how, merged, timings, bytes }: TableResult, chosen: Chosen, page: Page): string {
  if (merged !== null) return `merged from ${plural(merged, "shard")}`;
  if (how === null) return `counted in ${duration(timings.totalMs)}`;
  return work({ work: how, timings, bytes: bytes ?? 0 }, chosen, page);
}
