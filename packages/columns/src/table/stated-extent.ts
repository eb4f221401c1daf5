import type { Table } from "./types.ts";

/** The smallest or the largest value of a column. A 64-bit integer may be a bigint. */
export type End = number | bigint;

/** The smallest and the largest value of a column. Without any values, `min` is Infinity and `max` -Infinity. */
export interface StatedExtent {
  readonly min: End;
  readonly max: End;
}

/**
 * Returns the extent of a column by the statistics of the files that have it. Null unless every part with values states
 * finite ends, because bins need finite ones.
 */
export function statedExtent(
  tables: readonly Pick<Table, "columns" | "parts">[],
  name: string,
): StatedExtent | null {
  let [min, max]: [End | null, End | null] = [null, null];
  for (const table of tables) {
    if (!table.columns.some((column) => column.name === name)) continue;
    if (table.parts === null) return null;
    for (const part of table.parts) {
      if (part.rows === 0) continue;
      const statistics = part.statistics(name);
      if (statistics !== null && part.rows !== null && statistics.nulls === part.rows) continue;
      const [lo, hi] = [endOf(statistics?.min), endOf(statistics?.max)];
      if (lo === null || hi === null || lo > hi) return null;
      if (min === null || lo < min) min = lo;
      if (max === null || hi > max) max = hi;
    }
  }
  return { min: min ?? Infinity, max: max ?? -Infinity };
}

function endOf(value: unknown): End | null {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : null;
}
