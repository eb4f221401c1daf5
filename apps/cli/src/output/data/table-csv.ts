import { valueTextOf } from "../../values/index.ts";
import type { TableResult } from "../result.ts";

/**
 * One row per bin: column,group,bin,lo,hi,count. Points in time are written as people write them, and other edges are the
 * stored numbers. A bin of strings has the string in place of its edges. Rows without
 * edges follow: underflow, overflow, nan and nulls, if there are any.
 */
export function tableCsv({ columns }: TableResult): string {
  const lines = ["column,group,bin,lo,hi,count"];
  for (const { column, axis, groups } of columns) {
    for (const { group, histogram } of groups) {
      const { written } = valueTextOf(column.type);
      const start = [field(column.name), group === null ? "" : field(group)];
      const { edges, counts, underflow, overflow, nan, masked } = histogram;
      for (let bin = 0; bin < counts.length; bin++) {
        const ends =
          axis?.type === "category"
            ? [field(String(axis.values[bin])), ""]
            : [edges[bin]!, edges[bin + 1]!].map(written);
        lines.push([...start, bin, ...ends, counts[bin]].join(","));
      }
      for (const [name, count] of Object.entries({ underflow, overflow, nan, nulls: masked })) {
        if (count > 0) lines.push([...start, name, "", "", count].join(","));
      }
    }
  }
  return `${lines.join("\n")}\n`;
}

/** A field of CSV. */
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
