import type { Point, Reading } from "../model.ts";
import { type At, digits, every, near, of, value } from "./points.ts";

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
    ...every(series),
    how: `the lowest value of ${series}. Both agree on the same side of ${limit}`,
    read: (points: readonly Point[]) => {
      const all = of(points, series).map(({ y }) => y);
      return all.length === 0 ? null : Math.min(...all);
    },
    text: digits,
    compare: (paper, ours) => (paper >= limit === ours >= limit ? "agrees" : "differs"),
  };
}

/** A share that the paper calls none at all. */
export function none(at: At): Reading<number> {
  return {
    how: `${at.series}${at.x === undefined ? "" : ` at ${at.x}`}. Both agree up to ${NONE}`,
    read: (points) => value(points, at),
    text: digits,
    compare: (paper, ours) => (paper <= NONE === ours <= NONE ? "agrees" : "differs"),
  };
}

/** The most that counts as none. */
const NONE = 0.05;

/** A value that the paper only bounds from above. */
export function below(at: At, limit: number, unit: string): Reading<number> {
  return {
    how: `${at.series}${at.x === undefined ? "" : ` at ${at.x}`}. Both agree below ${limit}${unit}`,
    read: (points) => value(points, at),
    text: (found) => `${digits(found)}${unit}`,
    compare: (_paper, ours) => (ours < limit ? "agrees" : "differs"),
  };
}
