import { median } from "../../src/runner/statistics.ts";
import type { Point, Reading } from "../model.ts";
import { PICKS } from "./factors.ts";
import { digits, near, of, top, value } from "./points.ts";

/** A place is as good as the best from this share of it on. */
const AS_GOOD = 0.98;

/** Share of the most at which a rising series is full. */
const FULL = 0.95;

/** The place of a series' greatest value. */
export function best(series: string): Reading<Point["x"]> {
  return {
    how: `the place of the greatest value of ${series}; agrees where the paper's place has ${AS_GOOD * 100}% of our best, turned round where it is below our median`,
    read: (points) => top(of(points, series))?.x ?? null,
    text: String,
    compare: (paper, _ours, points) => {
      const all = of(points, series);
      const there = value(all, { series, x: paper });
      if (there === null) return "differs";
      const values = all.map(({ y }) => y);
      if (there >= AS_GOOD * PICKS.most(values)) return "agrees";
      return there < median(values) ? "turned round" : "differs";
    },
  };
}

/** The last place at which a series is above a value. */
export function lastAbove(series: string, least: number): Reading<number> {
  return {
    how: `the last place at which ${series} is above ${least}; agrees within a factor of 2`,
    read: (points) => {
      const all = of(points, series);
      return all.length === 0 ? null : Number(all.findLast(({ y }) => y > least)?.x ?? 0);
    },
    text: String,
    compare: (paper, ours) => (near(paper, ours) ? "agrees" : "differs"),
  };
}

/** The place from which on one series is no longer below another. */
export function crossover(a: string, b: string): Reading<number> {
  return {
    how: `the first place from which on ${a} is at least ${b}; agrees within a factor of 2, turned round where one is ahead everywhere and the paper's is not`,
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
      if (always(ours) && !always(paper)) return "turned round";
      return near(paper, ours) ? "agrees" : "differs";
    },
  };
}

/** The first place at which a rising series has nearly all that it ever has. */
export function fullFrom(series: string): Reading<number> {
  return {
    how: `the first place with ${FULL * 100}% of the greatest value of ${series}; agrees within a factor of 2`,
    read: (points) => {
      const all = of(points, series);
      const most = top(all)?.y;
      return most === undefined ? null : Number(all.find(({ y }) => y >= FULL * most)!.x);
    },
    text: digits,
    compare: (paper, ours) => (near(paper, ours) ? "agrees" : "differs"),
  };
}
