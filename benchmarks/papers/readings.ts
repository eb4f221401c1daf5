import { median } from "../src/runner/statistics.ts";
import type { Point, Reading, Rule, Verdict } from "./model.ts";

/** Two factors within so much of 1 are a draw. */
const DRAW = 0.05;
/** Rank correlation from which a series follows another, or rises or falls. */
const FOLLOWS = 0.5;
const MONOTONE = 0.8;
/** Two factors on the same side of 1 are alike within so many times. */
const ALIKE = 3;
/** Worst over best from which the data do not matter, and below which they do. */
const STEADY = 0.95;
const UNSTEADY = 0.5;
/** A place is as good as the best from this share of it on. */
const AS_GOOD = 0.98;
/** Share of the most at which a rising series is full. */
const FULL = 0.95;

/** A reading as a rule; what the paper states instead of numbers is given, and its words where it has no number itself. */
export function rule<T>(
  panel: string,
  claim: string,
  where: string,
  reading: Reading<T>,
  stated?: NoInfer<T>,
  words?: string,
): Rule {
  return {
    panel,
    claim,
    where,
    how: reading.how,
    judge: (paper, ours) => {
      const theirs = stated ?? reading.read(paper);
      if (theirs === null) throw new Error(`${claim}: the paper's numbers do not tell`);
      const found = reading.read(ours);
      return {
        paper: words === undefined ? reading.text(theirs) : `${words} (${reading.text(theirs)})`,
        ours: found === null ? null : reading.text(found),
        verdict: found === null ? "not measured" : reading.compare(theirs, found, ours),
      };
    },
  };
}

/** A point of a series; `x` may be left out where a series has but one. */
interface At {
  readonly series: string;
  readonly x?: Point["x"];
}

function value(points: readonly Point[], { series, x }: At): number | null {
  return points.find((point) => point.series === series && (x === undefined || point.x === x))?.y ?? null;
}

function of(points: readonly Point[], series: string): Point[] {
  const found = points.filter((point) => point.series === series);
  return found.every(({ x }) => typeof x === "number")
    ? found.toSorted((a, b) => Number(a.x) - Number(b.x))
    : found;
}

/** Where a factor stands: -1 below 1, 0 a draw, 1 above. */
function side(factor: number): number {
  return Math.abs(Math.log(factor)) <= Math.log(1 + DRAW) ? 0 : Math.sign(Math.log(factor));
}

function compareSides(paper: number, ours: number): Verdict {
  const [a, b] = [side(paper), side(ours)];
  if (a !== b) return a === -b ? "turned round" : "differs";
  return Math.abs(Math.log(paper / ours)) <= Math.log(ALIKE) ? "agrees" : "differs";
}

const SIDES = `agrees on the same side of 1 within ${ALIKE} times, turned round on the other side; within ${DRAW * 100}% of 1 is a draw`;

const factorText = (factor: number) => `${digits(factor)}x`;

/** Three significant digits. */
export function digits(number: number): string {
  if (number === 0) return "0";
  if (Math.abs(number) >= 1000) return Math.round(number).toLocaleString("en-US");
  return String(Number(number.toPrecision(3)));
}

/** How many times one thing is another. */
interface Factor {
  readonly what: string;
  read(points: readonly Point[]): number | null;
}

/** A factor that the paper gives a number of. */
function sized({ what, read }: Factor): Reading<number> {
  return { how: `${what}; ${SIDES}`, read, text: factorText, compare: compareSides };
}

/** A side of 1, and the factor where it is known. */
interface Side {
  readonly side: "below 1" | "a draw" | "above 1";
  readonly factor?: number;
}

/** A factor of which the paper tells only the side of 1: that something is faster, or slower. */
function sided({ what, read }: Factor): Reading<Side> {
  return {
    how: `${what}; the paper tells no factor: agrees on the same side of 1, turned round on the other; within ${DRAW * 100}% of 1 is a draw`,
    read: (points) => {
      const factor = read(points);
      if (factor === null) return null;
      return { side: (["below 1", "a draw", "above 1"] as const)[side(factor) + 1]!, factor };
    },
    text: (found) => (found.factor === undefined ? found.side : factorText(found.factor)),
    compare: (paper, ours) => {
      if (paper.side === ours.side) return "agrees";
      return [paper.side, ours.side].includes("a draw") ? "differs" : "turned round";
    },
  };
}

function over(a: At, b: At): Factor {
  const name = ({ series, x }: At) =>
    [series, typeof x === "number" ? digits(x) : x].filter((part) => part !== undefined).join(" at ");
  return {
    what: `${name(a)} over ${name(b)}`,
    read: (points) => {
      const [above, below] = [value(points, a), value(points, b)];
      return above === null || below === null ? null : above / below;
    },
  };
}

/** One point over another. */
export function ratio(a: At, b: At): Reading<number> {
  return sized(over(a, b));
}

/** The same where the paper only says which is greater. */
export function ratioSide(a: At, b: At): Reading<Side> {
  return sided(over(a, b));
}

const PICKS: Readonly<Record<"least" | "median" | "most", (values: readonly number[]) => number>> = {
  least: (values) => Math.min(...values),
  median,
  most: (values) => Math.max(...values),
};

function factors(points: readonly Point[], a: string, b: string): number[] {
  return of(points, a).flatMap(({ x, y }) => {
    const other = value(points, { series: b, x });
    return other === null ? [] : [y / other];
  });
}

/** The least, median or most of one series over another, from a place on. */
export function ratios(pick: keyof typeof PICKS, a: string, b: string, from?: number): Reading<number> {
  return sized({
    what: `the ${pick} of ${a} over ${b}, place by place${from === undefined ? "" : ` from ${digits(from)} on`}`,
    read: (points) => {
      const found = factors(
        points.filter(({ x }) => from === undefined || Number(x) >= from),
        a,
        b,
      );
      return found.length === 0 ? null : PICKS[pick](found);
    },
  });
}

/** At how many places one series is above another, as a share. */
export function winsShare(a: string, b: string): Reading<number> {
  return {
    how: `the share of places where ${a} is above ${b}; agrees on the same side of one half`,
    read: (points) => {
      const found = factors(points, a, b);
      return found.length === 0 ? null : found.filter((factor) => factor > 1).length / found.length;
    },
    text: (share) => `${Math.round(share * 100)}%`,
    compare: (paper, ours) => (paper > 0.5 === ours > 0.5 ? "agrees" : "turned round"),
  };
}

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

function top(points: readonly Point[]): Point | undefined {
  return points.reduce<Point | undefined>(
    (most, point) => (most && most.y >= point.y ? most : point),
    undefined,
  );
}

/** The mean of a series up to a place, over its mean after it, of which the paper only says which is greater. */
export function before(series: string, upTo: number): Reading<Side> {
  return sided({
    what: `the mean of ${series} up to ${upTo} over its mean after that`,
    read: (points) => {
      const all = of(points, series);
      const [low, high] = [all.filter(({ x }) => Number(x) <= upTo), all.filter(({ x }) => Number(x) > upTo)];
      return low.length === 0 || high.length === 0 ? null : mean(low) / mean(high);
    },
  });
}

function mean(points: readonly Point[]): number {
  return points.reduce((sum, { y }) => sum + y, 0) / points.length;
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

/** Do the data matter less to one series than to another? The paper only says that they do. */
export function steadier(a: string, b: string): Reading<Side> {
  return sided({
    what: `the least over the greatest of ${a}, over the same of ${b}`,
    read: (points) => {
      const [one, other] = [a, b].map((series) => {
        const values = of(points, series).map(({ y }) => y);
        return values.length < 2 ? null : Math.min(...values) / Math.max(...values);
      });
      return one == null || other == null ? null : one / other;
    },
  });
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

function near(a: number, b: number): boolean {
  return a === b || Math.abs(Math.log2(a / b)) <= 1;
}
