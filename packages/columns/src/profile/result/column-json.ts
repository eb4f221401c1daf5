import type { LogicalType } from "../../table/index.ts";
import { CalendarCounts } from "../exact/calendar.ts";
import { Moments } from "../exact/moments.ts";
import { TextMoments } from "../exact/text-moments.ts";
import type { ColumnJson, LengthsJson } from "../json.ts";
import { CLIPPED_UNITS } from "../limits.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import { typeText, unitText } from "../text.ts";
import type { Counted } from "../values/values.ts";
import { middleOf } from "./core.ts";
import { factsOf } from "./facts.ts";
import { histogramOf } from "./histogram-json.ts";
import { quantilesOf } from "./quantiles.ts";
import { finite, scalarOf } from "./scalar.ts";
import { topOf } from "./top.ts";

/** The profile of one column. @param passes what each pass counted of it, the first one first */
export function columnJson(passes: readonly ColumnPartial[], top: number): ColumnJson {
  const { plan, rows, nulls } = passes[0]!;
  const { logical } = plan;
  const { moments, distinct, sorted, values } = factsOf(passes);
  const isNumbers = moments instanceof Moments;
  const binned = passes.find((pass) => pass.bins !== null) ?? null;
  const bins = binned?.bins ?? null;
  const core = bins === null ? null : middleOf(logical, sorted, bins, binned!.plan.joined);
  const heavy = passes.find((pass) => pass.heavy !== null)?.heavy ?? null;
  return {
    name: plan.name,
    type: typeText(logical),
    logical,
    unit: unitText(logical),
    rows,
    nulls,
    nan: isNumbers ? moments.nan : 0,
    infinite: isNumbers
      ? { negative: moments.negative, positive: moments.positive }
      : { negative: 0, positive: 0 },
    distinct,
    min: moments?.min == null ? null : scalarOf(moments.min),
    max: moments?.max == null ? null : scalarOf(moments.max),
    mean: isNumbers ? finite(moments.mean()) : null,
    stddev: isNumbers ? finite(moments.stddev()) : null,
    ...(moments instanceof TextMoments && moments.count > 0 ? { lengths: lengthsOf(moments) } : {}),
    ...patternsOf(passes, top),
    ...calendarOf(passes, sorted, logical),
    quantiles: isNumbers ? quantilesOf(logical, moments, sorted, bins) : [],
    histogram: bins === null || rows === nulls ? null : histogramOf(bins, binned!.plan.joined),
    ...(core === null ? {} : { core }),
    ...topOf(values, sorted, heavy, top, (counted) => topJson(counted, logical.kind === "boolean")),
  };
}

/** A value and its count as JSON. */
export function topJson({ value, count }: Counted, isBoolean: boolean): ColumnJson["top"][number] {
  if (isBoolean) return { value: value !== 0, count };
  if (typeof value !== "string" || value.length <= CLIPPED_UNITS) return { value: scalarOf(value), count };
  return { value: value.slice(0, CLIPPED_UNITS), count, clipped: true };
}

function lengthsOf({ shortest, longest, units, count, lengths }: TextMoments): LengthsJson {
  const counts = Array.from(lengths.subarray(0, Math.min(longest + 1, lengths.length)));
  return { min: shortest, mean: units / count, max: longest, counts };
}

/** The most frequent patterns of strings, if they are few enough. */
function patternsOf(passes: readonly ColumnPartial[], top: number): Pick<ColumnJson, "patterns"> {
  const sorted = passes.find((pass) => pass.patterns !== null)?.patterns?.sorted() ?? [];
  return sorted.length === 0 ? {} : { patterns: sorted.slice(0, top) };
}

/** Points in time by the calendar. If bins gave all values, these are counted here. */
function calendarOf(
  passes: readonly ColumnPartial[],
  sorted: readonly Counted[] | null,
  logical: LogicalType,
): Pick<ColumnJson, "calendar"> {
  let found = passes.find((pass) => pass.calendar !== null)?.calendar ?? null;
  if (found === null && sorted !== null) {
    found = CalendarCounts.of(logical);
    found?.add(
      sorted.map(({ value }) => value as number | bigint),
      sorted.map(({ count }) => count),
    );
  }
  if (found === null) return {};
  const { weekdays, months, hours, isDays } = found;
  const calendar = { weekdays: Array.from(weekdays), months: Array.from(months) };
  return { calendar: isDays ? calendar : { ...calendar, hours: Array.from(hours) } };
}
