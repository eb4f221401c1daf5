import type { Point, Reading } from "../model.ts";
import { digits, of, value } from "./points.ts";

/** Rank correlation from which a series follows another, or rises or falls. */
const FOLLOWS = 0.5;
const MONOTONE = 0.8;

/** Series by their value at a place, the greatest first. */
export function order(names: readonly string[], x?: Point["x"]): Reading<readonly string[]> {
  return {
    how: `values${x === undefined ? "" : ` at ${typeof x === "number" ? digits(x) : x}`}, the greatest first; agrees in the same order, differs with more pairs in the same order than not, else turned round`,
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
      return tau === 1 ? "agrees" : tau > 0 ? "differs" : "turned round";
    },
  };
}

/** Pairs in the same order less pairs in the other, as a share of all. */
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

/** Does a series rise or fall along its axis? */
export function trend(series: string): Reading<Direction> {
  return {
    how: `${series} rises or falls where its rank correlation with the axis is ${MONOTONE} or more either way`,
    read: (points) => {
      const all = of(points, series);
      if (all.length < 3) return null;
      const rho = spearman(
        all.map(({ x }) => Number(x)),
        all.map(({ y }) => y),
      );
      return rho >= MONOTONE ? "rises" : rho <= -MONOTONE ? "falls" : "neither";
    },
    text: String,
    compare: (paper, ours) =>
      paper === ours ? "agrees" : ours === "neither" || paper === "neither" ? "differs" : "turned round",
  };
}

/** Rank correlation of a series with what `other` says of its places, from a place on. */
export function follows(
  series: string,
  other: (x: number) => number,
  what: string,
  from = 0,
): Reading<number> {
  return {
    how: `rank correlation of ${series} with ${what}, from ${from} on; agrees on the same side of ${FOLLOWS}`,
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
      paper >= FOLLOWS === ours >= FOLLOWS ? "agrees" : ours <= -FOLLOWS ? "turned round" : "differs",
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

/** From 1 on; equal values share the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}
