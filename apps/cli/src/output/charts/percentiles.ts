import type { Histogram } from "@polybin/core";
import { edge } from "../../base/index.ts";
import type { Percent } from "../../options/index.ts";
import { percentileOf } from "../percentile.ts";

/** The place of a percentile in words: a value, a bin, or a side of all bins. @param text shows a value */
export function placeOf(
  histogram: Histogram,
  percent: Percent,
  text: (value: number) => string = edge,
): string {
  const { axis, type, bins } = histogram;
  const { bin, lo, hi } = percentileOf(histogram, percent);
  const isHalfOpen = axis.type === "integer";
  if (lo === null) return hi === null ? "none" : `below ${text(hi)}`;
  if (hi === null) return `${isHalfOpen ? "at least" : "above"} ${text(lo)}`;
  const isLast = bin === bins - 1 && !isHalfOpen;
  const isOneValue = !type.startsWith("f") && Number.isInteger(lo) && hi - lo <= 1 && !isLast;
  return isOneValue ? text(lo) : `in [${text(lo)}, ${text(hi)}${isLast ? "]" : ")"}`;
}
