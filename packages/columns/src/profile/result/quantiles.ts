import { quantiles } from "@polybin/analysis";
import type { Moments } from "../exact/moments.ts";
import type { QuantileJson, Scalar } from "../json.ts";
import type { Bins } from "../partial/bins.ts";
import { compareValues, type Value } from "../values/keys.ts";
import type { Counted } from "../values/values.ts";

/** The fractions that a profile reports. */
const FRACTIONS: readonly number[] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/** Quantiles: exact from the counts of all values if they are known, else with the bounds of bins. */
export function quantilesOf(
  moments: Moments,
  sorted: readonly Counted[] | null,
  bins: Bins | null,
): readonly QuantileJson[] {
  if (sorted !== null) return exactQuantiles(sorted);
  if (bins === null || bins.axis.type === "boolean" || moments.count === 0) return [];
  const { axis, edges, counts, underflow, overflow, type } = bins;
  const [least, most] = endsOf(moments);
  return quantiles({ axis, edges, counts, underflow, overflow, type }, FRACTIONS).map(
    ({ value, low, high }, i) => {
      // No value lies outside the extent.
      const [from, to] = [Math.max(low, least), Math.min(high, most)];
      const inside = Number.isNaN(value) ? (from + to) / 2 : Math.min(Math.max(value, from), to);
      return { p: FRACTIONS[i]!, value: jsonOf(inside), low: jsonOf(from), high: jsonOf(to) };
    },
  );
}

/** The doubles below and above all values. An end is infinite if there are infinities. */
function endsOf({ min, max, negative, positive }: Moments): [number, number] {
  const slack = (value: number | bigint): number =>
    typeof value === "bigint" ? Math.abs(Number(value)) * 2 ** -52 : 0;
  return [
    negative > 0 ? -Infinity : Number(min!) - slack(min!),
    positive > 0 ? Infinity : Number(max!) + slack(max!),
  ];
}

/** The value at each rank of the sorted values: NumPy's "inverted_cdf". */
function exactQuantiles(sorted: readonly Counted[]): QuantileJson[] {
  if (sorted.length === 0) return [];
  const ascending = [...sorted].sort((a, b) => compareValues(a.value, b.value));
  const counts = ascending.map(({ count }) => count);
  // Each value is a bin of its own, so that analysis finds the rank.
  const places = quantiles(
    {
      counts,
      edges: Array.from({ length: counts.length + 1 }, (_, i) => i),
      type: "u32",
      axis: { type: "integer" },
    },
    FRACTIONS,
  );
  return places.map(({ low }, i) => {
    const value = exactOf(ascending[low]!.value);
    return { p: FRACTIONS[i]!, value, low: value, high: value };
  });
}

function exactOf(value: Value): Scalar | null {
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  return jsonOf(value as number);
}

const jsonOf = (value: number): number | null => (Number.isFinite(value) ? value : null);
