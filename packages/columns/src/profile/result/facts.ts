import { Moments } from "../exact/moments.ts";
import type { TextMoments } from "../exact/text-moments.ts";
import type { DistinctJson } from "../json.ts";
import { type Bins, isComplete } from "../partial/bins.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import { type ColumnPlan, momentKindOf } from "../partial/plan.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import { type Counted, sortedByCount, type Values } from "../values/values.ts";

/** Everything that the passes found of a column's values. */
export interface Facts {
  readonly moments: Moments | TextMoments | null;
  readonly distinct: DistinctJson | null;
  /** All values with their counts, the most frequent first; null if they are not known. */
  readonly sorted: readonly Counted[] | null;
  /** The counts by hash, if there are too many values for `sorted`. */
  readonly values: Values | null;
}

/** Returns what the passes over a column found: from bins that hold one integer each, or from moments and values. */
export function factsOf(passes: readonly ColumnPartial[]): Facts {
  const whole = passes.find(({ plan, bins }) => plan.whole && isComplete(bins!));
  if (whole !== undefined) return factsOfBins(whole.plan, whole.bins!);
  const { moments = null, values = null } = passes.find((pass) => pass.moments !== null) ?? {};
  return { moments, values, distinct: values?.distinct ?? null, sorted: values?.sorted() ?? null };
}

/** All values of a column, or its bins if they are not known. */
export function countedOf(
  passes: readonly ProfilePartial[],
  name: string,
): { readonly values: readonly Counted[] | null; readonly bins: Bins | null } {
  const found = passes.flatMap(({ columns }) => columns.filter(({ plan }) => plan.name === name));
  return { values: factsOf(found).sorted, bins: found.find(({ bins }) => bins !== null)?.bins ?? null };
}

function factsOfBins({ logical, distinctLimit }: ColumnPlan, { axis, counts }: Bins): Facts {
  const first = axis.type === "integer" ? axis.start : 0;
  const counted: { readonly value: number; readonly count: number }[] = [];
  for (const [bin, count] of counts.entries()) if (count > 0) counted.push({ value: first + bin, count });
  const moments = Moments.of(momentKindOf(logical)!, counted);
  if (distinctLimit === null) return { moments, distinct: null, sorted: null, values: null };
  const distinct = { value: counted.length, exact: true } as const;
  return { moments, distinct, sorted: sortedByCount([...counted]), values: null };
}
