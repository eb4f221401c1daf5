import type { Point, Reading } from "../model.ts";
import { type At, digits, near, of, value } from "./points.ts";

/** A value of one point, such as a share of the peak, in its unit. */
export function level(at: At, unit: string): Reading<number> {
  return {
    how: `${[at.series, at.x].filter((part) => part !== undefined).join(" at ")}. Both agree within a factor of 2`,
    read: (points) => value(points, at),
    text: (found) => `${digits(found)}${unit}`,
    compare: (paper, ours) => (near(paper, ours) ? "agrees" : "differs"),
  };
}

/** The lowest value of a series that should not be below a limit. */
export function lowest(series: string, limit: number): Reading<number> {
  return {
    how: `the lowest value of ${series}. Both agree on the same side of ${limit}`,
    read: (points: readonly Point[]) => {
      const all = of(points, series).map(({ y }) => y);
      return all.length === 0 ? null : Math.min(...all);
    },
    text: digits,
    compare: (paper, ours) => (paper >= limit === ours >= limit ? "agrees" : "differs"),
  };
}
