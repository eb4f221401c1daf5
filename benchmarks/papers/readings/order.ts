import type { PlaceOf, Point, Reading, Verdict } from "../model.ts";
import { DRAW, side } from "./draw.ts";
import { digits, every, of, value } from "./points.ts";

/** Rank correlations from which on a series follows another, or rises or falls. */
const FOLLOWS = 0.5;
const MONOTONE = 0.8;

/** A name in an order, with its value. */
interface Ranked {
  readonly name: string;
  readonly y: number;
}

/** Names from the highest value to the lowest. A paper that states an order without values has names only. */
type Ranking = readonly (Ranked | string)[];

const RULE = `the highest first. Values within ${DRAW * 100}% of each other are a draw. Both agree if every pair has the same order, or is a draw on both sides. They are reversed if more pairs are opposite than the same. Otherwise they differ`;

/** Orders series by their value at a place, the highest first. */
export function order(names: readonly string[], x?: Point["x"]): Reading<Ranking> {
  return {
    how: `values${x === undefined ? "" : ` at ${typeof x === "number" ? digits(x) : x}`}, ${RULE}`,
    read: (points) => {
      const values = names.map((name) => ({
        name,
        y: value(points, { series: name, ...(x === undefined ? {} : { x }) }),
      }));
      if (values.some(({ y }) => y === null)) return null;
      return (values as Ranked[]).toSorted((a, b) => b.y - a.y);
    },
    text: rankingText,
    compare: compareRankings,
  };
}

/** Orders the places of one series by their value, the highest first. */
export function orderOfPlaces(series: string): Reading<Ranking> {
  return {
    ...every(series),
    how: `places of ${series}, ${RULE}`,
    read: (points) => {
      const all = of(points, series);
      return all.length < 2
        ? null
        : all.toSorted((a, b) => b.y - a.y).map(({ x, y }) => ({ name: String(x), y }));
    },
    text: rankingText,
    compare: compareRankings,
  };
}

/** Gives names without values some that are no draw. */
function valued(ranking: Ranking): Ranked[] {
  return ranking.map((one, i) => (typeof one === "string" ? { name: one, y: 2 ** -i } : one));
}

/** 1 if the first is higher, 0 for a draw, -1 if it is lower. */
function relation(a: number, b: number): number {
  return a === b ? 0 : side(a / b);
}

function rankingText(ranking: Ranking): string {
  const all = valued(ranking);
  return all
    .map(({ name, y }, i) => (i === 0 ? name : `${relation(all[i - 1]!.y, y) === 0 ? " = " : " > "}${name}`))
    .join("");
}

function compareRankings(paper: Ranking, ours: Ranking): Verdict {
  const theirs = valued(paper);
  const own = new Map(valued(ours).map(({ name, y }) => [name, y]));
  let [same, opposite, pairs] = [0, 0, 0];
  for (const [i, a] of theirs.entries()) {
    for (const b of theirs.slice(i + 1)) {
      const [then, now] = [relation(a.y, b.y), relation(own.get(a.name)!, own.get(b.name)!)];
      if (then === now) same++;
      else if (then === -now) opposite++;
      pairs++;
    }
  }
  return same === pairs ? "agrees" : opposite > same ? "reversed" : "differs";
}

type Direction = "rises" | "falls" | "neither";

/** Whether a series rises or falls along its axis, or over some places of it. */
export function trend(series: string, places?: readonly number[]): Reading<Direction> {
  const over = places === undefined ? "" : ` over ${places.join(", ")}`;
  const isPlace = ({ x }: PlaceOf) => places === undefined || places.includes(Number(x));
  return {
    needs: (place) => place.series === series && isPlace(place),
    how: `${series} rises if its rank correlation with the axis${over} is at least ${MONOTONE}, and falls if it is at most -${MONOTONE}`,
    read: (points) => {
      const all = of(points, series).filter(isPlace);
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
    needs: (place) => place.series === series && Number(place.x) >= from,
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
