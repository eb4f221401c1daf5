import type { BinCounts, ValueCounts } from "./messages.ts";
import { QUANTILES } from "./quantiles.ts";

export const number = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 6 });
export const whole = (value: number): string => value.toLocaleString("en");

/** A number of things: "1 value", "2 values". */
export const many = (count: number, thing: string): string =>
  `${whole(count)} ${count === 1 ? thing : `${thing}s`}`;

type Told = Pick<
  BinCounts,
  "column" | "counts" | "stats" | "nulls" | "nan" | "underflow" | "overflow" | "isEach"
>;

/** Says how many values the bins have, what is outside of them, and where the middle of the values lies. */
export function sentence(
  { column, counts, stats, isEach, ...outside }: Told,
  name: string,
  text: (value: number) => string = number,
): string {
  const inside = counts.reduce((sum, count) => sum + count, 0);
  const others = [
    [outside.nulls, many(outside.nulls, "null")],
    [outside.nan, `${whole(outside.nan)} NaN`],
    [outside.underflow, `${whole(outside.underflow)} below the range`],
    [outside.overflow, `${whole(outside.overflow)} above the range`],
  ].flatMap(([count, words]) => (count === 0 ? [] : [words]));
  const rest = others.length === 0 ? "" : `; ${others.join(", ")}`;
  const bins = `${many(counts.length, "bin")}${isEach ? ", one for each value" : ""}`;
  const start = `${column} of ${name}: ${many(inside, "value")} in ${bins}${rest}.`;
  if (stats === null) return `${start} No value is finite.`;
  const of = (percent: number): string => text(stats.quantiles[QUANTILES.indexOf(percent)]!);
  return `${start} Half of the finite values are at ${of(50)} or below, 90% lie from ${of(5)} to ${of(95)}.`;
}

/** Says how many strings or booleans there are. */
export function sentenceOfValues({ column, rows, nulls, distinct }: ValueCounts, name: string): string {
  const rest = nulls === 0 ? "" : `; ${many(nulls, "null")}`;
  return `${column} of ${name}: ${many(rows, "value")}, ${whole(distinct)} different${rest}.`;
}
