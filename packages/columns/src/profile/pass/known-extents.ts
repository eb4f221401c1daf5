import {
  type ColumnInfo,
  type StatedExtent,
  sampleTypeOf,
  statedExtent,
  type Table,
} from "../../table/index.ts";
import type { KnownExtents } from "./plans.ts";

/**
 * Returns the extents of the columns that the files' statistics give: those that every part with values has. Infinite ends
 * are left out, because bins need finite ones.
 */
export function knownExtents(tables: readonly Table[], columns: readonly ColumnInfo[]): KnownExtents {
  const known = new Map<string, StatedExtent>();
  for (const { name, type } of columns) {
    if (sampleTypeOf(type) === null) continue;
    const extent = statedExtent(tables, name);
    if (extent !== null && extent.min <= extent.max) known.set(name, extent);
  }
  return known;
}
