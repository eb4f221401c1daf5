import type { ColumnJson } from "../json.ts";
import type { HeavyValues } from "../values/heavy.ts";
import type { Counted, Values } from "../values/values.ts";

/**
 * The most frequent values that are certain. `sorted` are all values, if they are within the limit. Otherwise `heavy` has
 * those that a further pass counted, and the counts by hash bound all others.
 */
export function topOf(
  values: Values | null,
  sorted: readonly Counted[] | null,
  heavy: HeavyValues | null,
  most: number,
  json: (counted: Counted) => ColumnJson["top"][number],
): Pick<ColumnJson, "top" | "topExact" | "topBound"> {
  if (sorted !== null) {
    return { top: sorted.slice(0, most).map(json), topExact: true, topBound: sorted[most]?.count ?? 0 };
  }
  if (values === null) return { top: [], topExact: false, topBound: null };
  const { bound, counts } = values.heavyCells()!;
  const others = counts[heavy?.kept ?? 0] ?? bound;
  const certain = (heavy?.sorted() ?? []).filter(({ count }) => count > others);
  return {
    top: certain.slice(0, most).map(json),
    topExact: certain.length >= most,
    topBound: certain[most]?.count ?? others,
  };
}
