import type { Axis as AxisSpec, Config, ScaleType } from "vega";
import type { Axis } from "../text/values.ts";

/** The page's style sets colours and fonts. */
export const CONFIG: Config = {
  axis: {
    labelLimit: 0,
    labelPadding: 4,
    tickSize: 4,
    titleFontWeight: "normal",
    labelFontSize: 11,
    titleFontSize: 11,
  },
};

/** Pixels of a plot of a column's card, and around it. */
export const WIDTH = 372;
export const PADDING = { left: 44, right: 16, top: 8, bottom: 22 };
/** The axis at the left, whose ticks are lines through the plot. */
export const LEFT_AXIS: AxisSpec = { orient: "left", scale: "y", grid: true, domain: false, ticks: false };

export const scaleType = (axis: Axis): ScaleType => (axis === "linear" ? "linear" : "utc");

type Ticks = Pick<AxisSpec, "values" | "tickCount" | "tickMinStep" | "format" | "formatType">;
const SHORT_FROM = 1e5;
const TINY = 1e-3;
/** If the range is this number of times as narrow as its ends are large, only the ends have labels. */
const CLOSE = 1e4;

/** Ticks along an axis of this many pixels, with labels that stay short. @param isWhole only at whole numbers */
export function ticks(
  axis: Axis,
  [lo, hi]: readonly [number, number],
  pixels: number,
  isWhole: boolean,
): Ticks {
  const tickCount = Math.max(2, Math.round(pixels / 80));
  if (axis === "clock") return { tickCount, format: "%H:%M", formatType: "utc" };
  // The names of some months would touch the days beside them.
  if (axis === "utc") return { tickCount, format: { quarter: "%b", month: "%b" } };
  const largest = Math.max(Math.abs(lo), Math.abs(hi));
  if (hi - lo < largest / CLOSE)
    return { values: [lo, hi], format: Number.isInteger(lo) ? ",.0f" : ",.12~g" };
  // A prefix such as M would drop the digits in which close neighbours differ.
  const isWide = hi - lo > largest / 100;
  if (largest >= 1e15 || largest < TINY) return { tickCount: Math.min(tickCount, 3), format: "~e" };
  const steps = { tickCount, ...(isWhole ? { tickMinStep: 1 } : {}) };
  return largest >= SHORT_FROM && isWide ? { ...steps, format: "~s" } : steps;
}

/** Labels of counts. Each has a prefix of its own, so that zero has none. */
export const COUNT_LABELS = { update: { text: { signal: "format(datum.value, '~s')" } } } as const;
