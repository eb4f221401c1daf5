import { quantiles } from "@polybin/analysis";
import type { LogicalType } from "../../table/index.ts";
import type { Moments } from "../exact/moments.ts";
import type { QuantileJson, Scalar } from "../json.ts";
import type { Bins } from "../partial/bins.ts";
import { momentKindOf } from "../partial/plan.ts";
import { compareValues, type Value } from "../values/keys.ts";
import type { Counted } from "../values/values.ts";

/** The fractions that a profile reports. */
const FRACTIONS: readonly number[] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/** Quantiles: exact from the counts of all values if they are known, else with the bounds of bins. */
export function quantilesOf(
  logical: LogicalType,
  moments: Moments,
  sorted: readonly Counted[] | null,
  bins: Bins | null,
): readonly QuantileJson[] {
  if (sorted !== null) return exactQuantiles(sorted);
  if (bins === null || bins.axis.type === "boolean" || moments.count === 0) return [];
  const { axis, edges, counts, underflow, overflow, type } = bins;
  const [least, most] = endsOf(moments);
  const isWhole = momentKindOf(logical) !== "float";
  return quantiles({ axis, edges, counts, underflow, overflow, type }, FRACTIONS).map(
    ({ value, low, high }, i) => {
      // No value lies outside the extent.
      const within: Bounds = [Math.max(low, least), Math.min(high, most)];
      const [from, to] = isWhole ? [Math.ceil(within[0]), Math.floor(within[1])] : within;
      const inside = Number.isNaN(value) ? (from + to) / 2 : Math.min(Math.max(value, from), to);
      const estimate = jsonOf(estimateOf(logical, inside, [from, to]));
      return { p: FRACTIONS[i]!, exact: from === to, value: estimate, low: jsonOf(from), high: jsonOf(to) };
    },
  );
}

type Bounds = readonly [low: number, high: number];

/** Digits of a double at most. */
const MOST_DIGITS = 17;

/** Rounds an estimate to the digits that its bounds support. The result still lies between them. */
function estimateOf(logical: LogicalType, value: number, [low, high]: Bounds): number {
  const isWhole = momentKindOf(logical) !== "float";
  // Points in time have no round numbers.
  const isDecimal = logical.kind === "number" || logical.kind === "decimal";
  const width = high - low;
  if (width === 0 || !Number.isFinite(width)) return value;
  const exponent = isDecimal ? Math.floor(Math.log10(width)) : 0;
  const size = value === 0 ? exponent : Math.floor(Math.log10(Math.abs(value)));
  for (let digits = Math.max(1, size - exponent + 1); digits <= MOST_DIGITS; digits++) {
    const near = Number(value.toPrecision(digits));
    const step = 10 ** (size + 1 - digits);
    const inside = near > high ? near - step : near < low ? near + step : near;
    const rounded = Number(inside.toPrecision(digits));
    if (rounded >= low && rounded <= high && (!isWhole || Number.isInteger(rounded))) return rounded;
  }
  return isWhole ? Math.round(value) : value;
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
    return { p: FRACTIONS[i]!, exact: true, value, low: value, high: value };
  });
}

function exactOf(value: Value): Scalar | null {
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  return jsonOf(value as number);
}

const jsonOf = (value: number): number | null => (Number.isFinite(value) ? value : null);
