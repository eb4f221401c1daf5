import { typeKey } from "../profile/index.ts";
import type { ColumnChangeJson, ComparisonJson } from "./json.ts";

/** The change of a column as a whole. Null if both sides have it with one type. */
export type ColumnEvent = "new" | "gone" | "other type" | null;

/** Whether a column came, went or got another type. */
export function eventOf({ a, b }: ColumnChangeJson, sides: Pick<ComparisonJson, "a" | "b">): ColumnEvent {
  if (a === null) return "new";
  if (b === null) return "gone";
  const [x, y] = [sides.a.columns[a]!, sides.b.columns[b]!];
  return typeKey(x.logical) === typeKey(y.logical) ? null : "other type";
}

/** Columns that came or went, or whose types cannot be compared; then those whose values moved, the furthest first. */
export function byChange({ columns, ...sides }: ComparisonJson): readonly ColumnChangeJson[] {
  const rank = (change: ColumnChangeJson): number =>
    change.distance?.value ?? (eventOf(change, sides) === null ? -1 : 2);
  return [...columns].sort((x, y) => rank(y) - rank(x));
}
