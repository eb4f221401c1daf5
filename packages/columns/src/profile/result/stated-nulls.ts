import type { Table } from "../../table/index.ts";

/** The nulls of a column by the statistics of all parts that have rows. Null if one of them does not state them. */
export function statedNulls(
  tables: readonly Pick<Table, "columns" | "parts">[],
  name: string,
): number | null {
  let sum = 0;
  for (const { columns, parts } of tables) {
    if (!columns.some((column) => column.name === name)) continue;
    if (parts === null) return null;
    for (const part of parts) {
      const nulls = part.rows === 0 ? 0 : part.statistics(name)?.nulls;
      if (nulls == null) return null;
      sum += nulls;
    }
  }
  return sum;
}
