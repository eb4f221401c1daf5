import { median } from "../../src/runner/statistics.ts";
import type { Point, Reading } from "../model.ts";
import { PICKS } from "./factors.ts";
import { digits, every, near, of, top, value } from "./points.ts";

/** Share of the best value from which on a place counts as best. */
const AS_GOOD = 0.98;

/** Share of the highest value at which a rising series counts as full. */
const FULL = 0.95;

/** The place of a series' highest value. */
export function best(series: string): Reading<Point["x"]> {
  return {
    ...every(series),
    how: `the place of the highest value of ${series}. Both agree if the paper's place reaches ${AS_GOOD * 100}% of our best value. They are reversed if it is below our median`,
    read: (points) => top(of(points, series))?.x ?? null,
    text: String,
    compare: (paper, _ours, points) => {
      const all = of(points, series);
      const there = value(all, { series, x: paper });
      if (there === null) return "differs";
      const values = all.map(({ y }) => y);
      if (there >= AS_GOOD * PICKS.most(values)) return "agrees";
      return there < median(values) ? "reversed" : "differs";
    },
  };
}

/** The last place at which a series is above a value. */
export function lastAbove(series: string, least: number): Reading<number> {
  return {
    ...every(series),
    how: `the last place at which ${series} is above ${least}. Both agree within a factor of 2`,
    read: (points) => {
      const all = of(points, series);
      return all.length === 0 ? null : Number(all.findLast(({ y }) => y > least)?.x ?? 0);
    },
    text: String,
    compare: (paper, ours) => (near(paper, ours) ? "agrees" : "differs"),
  };
}

/** The first place at which a series is below a value. */
export function firstBelow(series: string, limit: number): Reading<number> {
  return {
    ...every(series),
    how: `the first place at which ${series} is below ${limit}. Both agree within a factor of 2`,
    read: (points) => {
      const all = of(points, series);
      return all.length === 0 ? null : Number(all.find(({ y }) => y < limit)?.x ?? Number.POSITIVE_INFINITY);
    },
    text: (x) => (Number.isFinite(x) ? digits(x) : "nowhere"),
    compare: (paper, ours) => (near(paper, ours) ? "agrees" : "differs"),
  };
}

/** The place from which on one series is no longer below another. */
export function crossover(a: string, b: string): Reading<number> {
  return {
    ...every(a, b),
    how: `the first place from which on ${a} is at least ${b}. Both agree within a factor of 2. They are reversed if one of ours is ahead everywhere but none of the paper's is`,
    read: (points) => {
      const common = of(points, a).filter(({ x }) => value(points, { series: b, x }) !== null);
      if (common.length < 2) return null;
      const behind = common.findLastIndex(({ x, y }) => y < value(points, { series: b, x })!);
      return Number(common[behind + 1]?.x ?? Number.POSITIVE_INFINITY);
    },
    text: (x) => (Number.isFinite(x) ? digits(x) : "nowhere"),
    compare: (paper, ours, points) => {
      const first = Number(of(points, a)[0]!.x);
      const always = (x: number) => x <= first || !Number.isFinite(x);
      if (always(ours) && !always(paper)) return "reversed";
      return near(paper, ours) ? "agrees" : "differs";
    },
  };
}

/** The first place at which a rising series nearly reaches its highest value. */
export function fullFrom(series: string): Reading<number> {
  return {
    ...every(series),
    how: `the first place with ${FULL * 100}% of the highest value of ${series}. Both agree within a factor of 2`,
    read: (points) => {
      const all = of(points, series);
      const most = top(all)?.y;
      return most === undefined ? null : Number(all.find(({ y }) => y >= FULL * most)!.x);
    },
    text: digits,
    compare: (paper, ours) => (near(paper, ours) ? "agrees" : "differs"),
  };
}
