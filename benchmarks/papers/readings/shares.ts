import type { Reading } from "../model.ts";
import { type At, digits, of, value } from "./points.ts";

/** Worst over best from which the data do not matter, and below which they do. */
const STEADY = 0.95;
const UNSTEADY = 0.5;

/** The least over the greatest of some points: 1 where the data do not matter. */
export function steadiness(places: readonly At[], name: string): Reading<number> {
  return {
    how: `${name}: the least over the greatest; from ${STEADY} on steady, below ${UNSTEADY} not; agrees in the same class, turned round in the opposite`,
    read: (points) => {
      const found = places.map((place) => value(points, place));
      if (found.some((y) => y === null)) return null;
      return Math.min(...(found as number[])) / Math.max(...(found as number[]));
    },
    text: digits,
    compare: (paper, ours) => {
      const [a, b] = [steadinessClass(paper), steadinessClass(ours)];
      return a === b ? "agrees" : a === -b ? "turned round" : "differs";
    },
  };
}

/** 1 where the data do not matter, -1 where they do, 0 between. */
function steadinessClass(share: number): number {
  return share >= STEADY ? 1 : share < UNSTEADY ? -1 : 0;
}

/** How well threads are used: the speed of the most over that of one, as a share of how many they are. */
export function scaling(series: string, atLeast: number): Reading<number> {
  return {
    how: `${series}: the speed of the most threads over that of one, by the number of threads; agrees on the same side of ${atLeast}`,
    read: (points) => {
      const all = of(points, series);
      const [one, most] = [value(all, { series, x: 1 }), all.at(-1)];
      return one === null || most === undefined || most.x === 1 ? null : most.y / one / Number(most.x);
    },
    text: (share) => `${Math.round(share * 100)}% of linear`,
    compare: (paper, ours) => (paper >= atLeast === ours >= atLeast ? "agrees" : "differs"),
  };
}
