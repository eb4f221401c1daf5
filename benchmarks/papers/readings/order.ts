import type { Point, Reading } from "../model.ts";
import { digits, of, value } from "./points.ts";

/** Rank correlations from which on a series follows another, or rises or falls. */
const FOLLOWS = 0.5;
const MONOTONE = 0.8;

/** Orders series by their value at a place, the highest first. */
export function order(names: readonly string[], x?: Point["x"]): Reading<readonly string[]> {
  return {
    how: `values${x === undefined ? "" : ` at ${typeof x === "number" ? digits(x) : x}`}, the highest first. Both agree if the order is the same. They differ if more pairs have the same order than not. Otherwise they are reversed`,
    read: (points) => {
      const values = names.map((series) => ({
        series,
        y: value(points, { series, ...(x === undefined ? {} : { x }) }),
      }));
      if (values.some(({ y }) => y === null)) return null;
      return values.toSorted((a, b) => b.y! - a.y!).map(({ series }) => series);
    },
    text: (series) => series.join(" > "),
    compare: (paper, ours) => {
      const tau = kendall(paper, ours);
      return tau === 1 ? "agrees" : tau > 0 ? "differs" : "reversed";
    },
  };
}

/** Orders the places of one series by their value, the highest first. */
export function orderOfPlaces(series: string): Reading<readonly string[]> {
  const { text, compare } = order([]);
  return {
    how: `places of ${series}, the highest first. Both agree if the order is the same. They differ if more pairs have the same order than not. Otherwise they are reversed`,
    read: (points) => {
      const all = of(points, series);
      return all.length < 2 ? null : all.toSorted((a, b) => b.y - a.y).map(({ x }) => String(x));
    },
    text,
    compare,
  };
}

/** Number of pairs in the same order minus pairs in the opposite order, as a share of all pairs. */
function kendall(a: readonly string[], b: readonly string[]): number {
  let [sum, pairs] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    for (let j = i + 1; j < a.length; j++) {
      sum += Math.sign(b.indexOf(a[j]!) - b.indexOf(a[i]!));
      pairs++;
    }
  }
  return sum / pairs;
}

type Direction = "rises" | "falls" | "neither";

/** Whether a series rises or falls along its axis, or over some places of it. */
export function trend(series: string, places?: readonly number[]): Reading<Direction> {
  const over = places === undefined ? "" : ` over ${places.join(", ")}`;
  return {
    how: `${series} rises if its rank correlation with the axis${over} is at least ${MONOTONE}, and falls if it is at most -${MONOTONE}`,
    read: (points) => {
      const all = of(points, series).filter(({ x }) => places === undefined || places.includes(Number(x)));
      if (all.length < 3) return null;
      const rho = spearman(
        all.map(({ x }) => Number(x)),
        all.map(({ y }) => y),
      );
      return rho >= MONOTONE ? "rises" : rho <= -MONOTONE ? "falls" : "neither";
    },
    text: String,
    compare: (paper, ours) =>
      paper === ours ? "agrees" : ours === "neither" || paper === "neither" ? "differs" : "reversed",
  };
}

/** The rank correlation of a series with a function of its places, from a place on. */
export function follows(
  series: string,
  other: (x: number) => number,
  what: string,
  from = 0,
): Reading<number> {
  return {
    how: `rank correlation of ${series} with ${what}, from ${from} on. Both agree on the same side of ${FOLLOWS}`,
    read: (points) => {
      const all = of(points, series).filter(({ x }) => Number(x) >= from);
      if (all.length < 3) return null;
      return spearman(
        all.map(({ x }) => other(Number(x))),
        all.map(({ y }) => y),
      );
    },
    text: digits,
    compare: (paper, ours) =>
      paper >= FOLLOWS === ours >= FOLLOWS ? "agrees" : ours <= -FOLLOWS ? "reversed" : "differs",
  };
}

function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const middle = (x.length + 1) / 2;
  let [both, left, right] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    both += (x[i]! - middle) * (y[i]! - middle);
    left += (x[i]! - middle) ** 2;
    right += (y[i]! - middle) ** 2;
  }
  return left === 0 || right === 0 ? 0 : both / Math.sqrt(left * right);
}

/** Ranks from 1 on. Equal values share the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}
