import type { End } from "../../table/index.ts";
import { compareValues } from "../values/keys.ts";
import type { Counted } from "../values/values.ts";

/** The middle of the values, which is shown on its own. */
const MIDDLE = { from: 0.01, to: 0.99 };
/** The whole range is this number of times as wide as the middle, at least, if the middle is shown on its own. */
const SHARE = 4;

/** Finite values with their counts, the smallest first. */
export function finiteOf(sorted: readonly Counted[]): Finite[] {
  return sorted
    .filter(
      (counted): counted is Finite => typeof counted.value === "bigint" || Number.isFinite(counted.value),
    )
    .sort((a, b) => compareValues(a.value, b.value));
}

/** The range of the middle of the values. Null unless the whole range is much wider. */
export function middleRange(ascending: readonly Finite[]): [lo: End, hi: End] | null {
  const total = ascending.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const [lo, hi] = [valueAt(ascending, MIDDLE.from * total), valueAt(ascending, MIDDLE.to * total)];
  const width = Number(hi) - Number(lo);
  const whole = Number(ascending.at(-1)!.value) - Number(ascending[0]!.value);
  return width > 0 && Number.isFinite(width) && whole >= SHARE * width ? [lo, hi] : null;
}

export interface Finite extends Counted {
  readonly value: End;
}

/** The smallest value that at least this number of values do not exceed. */
function valueAt(ascending: readonly Finite[], rank: number): End {
  let below = 0;
  for (const { value, count } of ascending) {
    below += count;
    if (below >= rank) return value;
  }
  return ascending.at(-1)!.value;
}
