import type { ColumnInfo, Table } from "../../table/index.ts";
import { sampleTypeOf } from "../partial/plan.ts";
import type { End } from "./axes.ts";
import type { KnownExtents } from "./plans.ts";

/**
 * Returns the extents of the columns that the files' statistics give: those that every part with values has. Infinite ends
 * are left out, because bins need finite ones.
 */
export function knownExtents(tables: readonly Table[], columns: readonly ColumnInfo[]): KnownExtents {
  const known = new Map<string, { readonly min: End; readonly max: End }>();
  for (const { name, type } of columns) {
    if (sampleTypeOf(type) === null) continue;
    const extent = extentOf(tables, name);
    if (extent !== null) known.set(name, extent);
  }
  return known;
}

function extentOf(tables: readonly Table[], name: string): { readonly min: End; readonly max: End } | null {
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
  return min === null || max === null ? null : { min, max };
}

function endOf(value: unknown): End | null {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : null;
}
