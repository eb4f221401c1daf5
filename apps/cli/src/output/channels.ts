import type { ColumnResult, GroupResult } from "@polybin/cluster/shards";
import { type Axis, category, Histogram, PolybinError } from "@polybin/core";
import { columnName, printable } from "../base/index.ts";
import type { View } from "../options/index.ts";
import { valueTextOf } from "../values/index.ts";
import type { Channel, TableResult } from "./result.ts";
import { statsOf } from "./stats.ts";

/** Categories of a chart. The last one stands for all others if there are more. */
const SHOWN = 24;
/** Characters of a category in a chart. */
const NAME = 32;

/** The groups of a column as charts and plots show them. */
export function channelsOf(
  { column, axis, groups }: ColumnResult,
  { by }: TableResult,
  { stats }: View,
): Channel[] {
  const values = valueTextOf(column.type);
  const own = columnName(column.name);
  return groups.map((group): Channel => {
    const name = by === null ? column.name : `${column.name}, ${by.name} ${groupText(group.group, by.type)}`;
    const shown = shortened(group.histogram);
    if (axis?.type === "category") {
      return { name: columnName(name), column: own, histogram: shown.histogram, names: shown.names, values };
    }
    const names = axis === null ? undefined : namesOf(axis, values.text);
    return {
      name: columnName(name),
      column: own,
      histogram: group.histogram,
      values,
      ...(names === undefined ? {} : { names }),
      ...(stats ? { stats: statsOf(group.histogram) } : {}),
    };
  });
}

/** The names of the bins of booleans, and those of a few integers or days. */
function namesOf(axis: Axis, text: (value: number) => string): readonly string[] | undefined {
  if (axis.type === "boolean") return ["false", "true"];
  if (axis.type !== "integer" || axis.bins > SHOWN) return undefined;
  return Array.from({ length: axis.bins }, (_, i) => text(axis.start + i));
}

/** A group in words. */
function groupText(group: GroupResult["group"], type: NonNullable<TableResult["by"]>["type"]): string {
  if (group === null) return "null";
  return type.kind === "string" ? JSON.stringify(group) : valueTextOf(type).text(Number(group));
}

/** The most frequent categories, and the sum of the others. */
function shortened(histogram: Histogram): {
  readonly histogram: Histogram;
  readonly names: readonly string[];
} {
  const { axis, counts, type } = histogram;
  if (axis.type !== "category") return { histogram, names: [] };
  const all = (axis.values as readonly string[]).map(nameOf);
  if (all.length <= SHOWN) return { histogram, names: all };
  const kept = SHOWN - 1;
  const others = counts.subarray(kept).reduce((sum, count) => sum + count, 0);
  const few = Float64Array.of(...counts.subarray(0, kept), others);
  const flow = { counts: few, underflow: 0, overflow: 0, nan: 0 };
  return {
    histogram: new Histogram(category([...few.keys()].map(String)), type, flow),
    names: [...all.slice(0, kept), `${all.length - kept} others`],
  };
}

function nameOf(text: string): string {
  const clipped = text.length > NAME ? `${text.slice(0, NAME - 1)}…` : text;
  return printable(JSON.stringify(clipped));
}

/** @throws ERR_INPUT if the numbers of a view are asked for columns that have none */
export function checkView(columns: readonly ColumnResult[], { stats, percentiles }: View): void {
  const option = stats ? "--stats" : percentiles.length > 0 ? "--percentiles" : null;
  if (option === null) return;
  for (const { column } of columns) {
    const hasNumbers =
      column.type.kind === "number" ||
      (!stats && column.type.kind !== "string" && column.type.kind !== "boolean");
    if (hasNumbers) continue;
    throw new PolybinError(
      "ERR_INPUT",
      `expected columns of numbers with ${option} but ${column.name} has the type ${column.type.kind}`,
    );
  }
}
