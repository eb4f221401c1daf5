import type { Reading } from "../model.ts";
import { type At, digits, value } from "./points.ts";

/** Worst over best from which on the data do not matter, and below which they do. */
const STEADY = 0.95;
const UNSTEADY = 0.5;

/** The lowest over the highest of some points: 1 if the data do not matter. */
export function steadiness(places: readonly At[], name: string): Reading<number> {
  return {
    how: `${name}: the lowest value divided by the highest. From ${STEADY} on it is steady, below ${UNSTEADY} it is not. Both agree in the same class and are reversed in opposite classes`,
    read: (points) => {
      const found = places.map((place) => value(points, place));
      if (found.some((y) => y === null)) return null;
      return Math.min(...(found as number[])) / Math.max(...(found as number[]));
    },
    text: digits,
    compare: (paper, ours) => {
      const [a, b] = [steadinessClass(paper), steadinessClass(ours)];
      return a === b ? "agrees" : a === -b ? "reversed" : "differs";
    },
  };
}

/** 1 if the data do not matter, -1 if they do, 0 in between. */
function steadinessClass(share: number): number {
  return share >= STEADY ? 1 : share < UNSTEADY ? -1 : 0;
}

/** The efficiency of threads: the speedup over one thread as a share of their number, with as many threads as the paper has. */
export function scaling(series: string, threads: number, atLeast: number): Reading<number> {
  return {
    how: `${series}: the speedup of ${threads} threads over one, divided by ${threads}. Both agree on the same side of ${atLeast}`,
    read: (points) => {
      const [one, all] = [1, threads].map((x) => value(points, { series, x }));
      return one == null || all == null ? null : all / one / threads;
    },
    text: (share) => `${Math.round(share * 100)}% of linear`,
    compare: (paper, ours) => (paper >= atLeast === ours >= atLeast ? "agrees" : "differs"),
  };
}
