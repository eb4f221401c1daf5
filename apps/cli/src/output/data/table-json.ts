import { type ColumnResult, type GroupResult, storedType } from "@polybin/cluster/shards";
import { edgesOf } from "@polybin/core/backend";
import { printable } from "../../base/index.ts";
import type { View } from "../../options/index.ts";
import { typeName } from "../../values/index.ts";
import type { TableResult } from "../result.ts";
import { statsOf } from "../stats.ts";
import { axisJson, countsJson, percentilesJson, timingsJson, workJson } from "./json-parts.ts";

/** The result as `--json` prints it: one object on one line, with one entry of `channels` per column and group. */
export function tableJson(result: TableResult, view: View): string {
  const { name, more, format, rows, columns, by, work, merged, timings } = result;
  const axes = columns.map(axisOf);
  const types = new Set(columns.map(({ column }) => typeName(column.type)));
  const json = JSON.stringify({
    input: {
      name,
      kind: "table",
      format,
      type: types.size === 1 ? [...types][0] : null,
      samples: rows,
      width: null,
      height: null,
      ...(more > 0 && { files: more + 1 }),
    },
    ...workJson(work, rows),
    axis: axes[0],
    channels: columns.flatMap(({ column, groups, ...rest }, i) => {
      const own = { name: column.name, type: column.type, axis: axes[i] };
      // A column without a string has no group with counts, and its nulls are still reported.
      const empty = { counts: [], underflow: 0, overflow: 0, nan: 0, nulls: rest.nulls };
      if (groups.length === 0) return by === null ? [{ ...own, ...empty }] : [];
      return groups.map((group) => ({
        ...own,
        ...(by !== null && { group: groupJson(group, by) }),
        ...groupCounts(group, view),
      }));
    }),
    ...(by !== null && { by: { name: by.name, type: by.type } }),
    ...(merged !== null && { merged }),
    timings: timingsJson(timings),
  });
  return `${printable(json)}\n`;
}

/** Integers that a double holds are numbers, and others are their digits. */
function groupJson(
  { group }: GroupResult,
  { type }: NonNullable<TableResult["by"]>,
): string | number | boolean | null {
  if (group === null || type.kind === "string") return group;
  if (type.kind === "boolean") return group === "1";
  const value = Number(group);
  return Number.isSafeInteger(value) ? value : group;
}

function groupCounts({ histogram }: GroupResult, { percentiles, stats }: View): object {
  return {
    ...countsJson(histogram),
    nulls: histogram.masked,
    ...percentilesJson(histogram, percentiles),
    ...(stats && { stats: statsOf(histogram) }),
  };
}

function axisOf({ axis, column }: ColumnResult): object {
  if (axis === null) return { type: "category", bins: 0, edges: [], values: [] };
  const values = axis.type === "category" ? { values: axis.values } : {};
  return { ...axisJson(axis, edgesOf(axis, storedType(column.type))), ...values };
}
