import type { Row } from "./types.ts";
import { isCeiling, isOurs, memoryOf } from "./words.ts";

/** Rows with the same file, bytes and memory have the same ceiling. */
const keyOf = (row: Row): string => [row.file.path, row.type, row.n, memoryOf(row)].join(" ");

/** A copy within the host's memory is no ceiling of the bus. */
const isRoof = (row: Row): boolean => isCeiling(row) && row.variant !== "memcpy on the host";

/** Finds the fastest plain read, or the fastest plain copy, of the same bytes from the same memory in the same file. */
function ceilingsOf(rows: readonly Row[]): (row: Row) => Row | null {
  const found = Map.groupBy(rows.filter(isRoof), keyOf);
  return (row) =>
    (found.get(keyOf(row)) ?? []).reduce<Row | null>(
      (best, one) => (best === null || one.gbps > best.gbps ? one : best),
      null,
    );
}

/** Adds the share of the ceiling where a file leaves it out, as it does for single calls. */
export function withShares(rows: readonly Row[]): Row[] {
  const ceilingOf = ceilingsOf(rows);
  return rows.map((row) => {
    if (row.ceilingPercent !== null || !isOurs(row) || row.weighted !== undefined) return row;
    const ceiling = ceilingOf(row);
    return ceiling === null ? row : { ...row, ceilingPercent: (100 * row.gbps) / ceiling.gbps };
  });
}
