import type { ColumnCounts } from "./counting.ts";
import { QUANTILES } from "./quantiles.ts";

export const number = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 6 });
export const whole = (value: number): string => value.toLocaleString("en");

/** A number of things: "1 value", "2 values". */
export const many = (count: number, thing: string): string =>
  `${whole(count)} ${count === 1 ? thing : `${thing}s`}`;

type Told = Pick<ColumnCounts, "column" | "counts" | "stats" | "nulls" | "nan" | "underflow" | "overflow">;

/** Says how many values the bins have, what is outside of them, and where the middle of the values lies. */
export function sentence({ column, counts, stats, ...outside }: Told, name: string): string {
  const inside = counts.reduce((sum, count) => sum + count, 0);
  const others = [
    [outside.nulls, many(outside.nulls, "null")],
    [outside.nan, `${whole(outside.nan)} NaN`],
    [outside.underflow, `${whole(outside.underflow)} below the range`],
    [outside.overflow, `${whole(outside.overflow)} above the range`],
  ].flatMap(([count, words]) => (count === 0 ? [] : [words]));
  const rest = others.length === 0 ? "" : `; ${others.join(", ")}`;
  const start = `${column} of ${name}: ${many(inside, "value")} in ${many(counts.length, "bin")}${rest}.`;
  if (stats === null) return `${start} No value is finite.`;
  const of = (percent: number): string => number(stats.quantiles[QUANTILES.indexOf(percent)]!);
  return `${start} Half of the finite values are at ${of(50)} or below, 90% lie from ${of(5)} to ${of(95)}.`;
}
