import { median } from "../../src/runner/statistics.ts";
import type { PlaceOf, Point, Reading, Verdict } from "../model.ts";
import { DRAW, side } from "./draw.ts";
import { type At, digits, every, mean, of, value } from "./points.ts";

/** Two factors on the same side of 1 agree up to this ratio. */
const ALIKE = 2;

/** An order of magnitude. */
const MAGNITUDE = 10;

function compareSides(paper: number, ours: number): Verdict {
  const [a, b] = [side(paper), side(ours)];
  if (a !== b) return a === -b ? "reversed" : "differs";
  return Math.abs(Math.log(paper / ours)) <= Math.log(ALIKE) ? "agrees" : "differs";
}

const SIDES = `Both agree on the same side of 1 up to a ratio of ${ALIKE}. They are reversed on opposite sides. Within ${DRAW * 100}% of 1 is a draw`;

const factorText = (factor: number) => `${digits(factor)}x`;

/** How many times as large one value is as another. */
interface Factor {
  readonly what: string;
  needs?(place: PlaceOf): boolean;
  read(points: readonly Point[]): number | null;
}

/** A factor for which the paper gives a number. */
function sized({ what, ...factor }: Factor): Reading<number> {
  return { ...factor, how: `${what}. ${SIDES}`, text: factorText, compare: compareSides };
}

/** A factor that the paper calls an order of magnitude. */
function magnitude({ what, ...factor }: Factor): Reading<number> {
  return {
    ...factor,
    how: `${what}. Both agree from ${MAGNITUDE}x on. They are reversed below 1`,
    text: factorText,
    compare: (_paper, ours) => (ours >= MAGNITUDE ? "agrees" : side(ours) < 0 ? "reversed" : "differs"),
  };
}

/** A side of 1, and the factor if it is known. */
export interface Side {
  readonly side: "below 1" | "a draw" | "above 1";
  readonly factor?: number;
}

/** A factor for which the paper states only the side of 1: that something is faster, or slower. */
function sided({ what, needs, read }: Factor): Reading<Side> {
  return {
    ...(needs && { needs }),
    how: `${what}. The paper states no factor. Both agree on the same side of 1 and are reversed on opposite sides. Within ${DRAW * 100}% of 1 is a draw`,
    read: (points) => {
      const factor = read(points);
      if (factor === null) return null;
      return { side: (["below 1", "a draw", "above 1"] as const)[side(factor) + 1]!, factor };
    },
    text: (found) => (found.factor === undefined ? found.side : factorText(found.factor)),
    compare: (paper, ours) => {
      if (paper.side === ours.side) return "agrees";
      return [paper.side, ours.side].includes("a draw") ? "differs" : "reversed";
    },
  };
}

function nameOf({ series, x }: At): string {
  return [series, typeof x === "number" ? digits(x) : x].filter((part) => part !== undefined).join(" at ");
}

function over(a: At, b: At): Factor {
  return {
    what: `${nameOf(a)} divided by ${nameOf(b)}`,
    read: (points) => {
      const [above, below] = [value(points, a), value(points, b)];
      return above === null || below === null ? null : above / below;
    },
  };
}

/** Divides one point by another. */
export function ratio(a: At, b: At): Reading<number> {
  return sized(over(a, b));
}

/** A point that is itself a ratio, such as a column of ratios. */
export function factor(at: At): Reading<number> {
  return sized({ what: nameOf(at), read: (points) => value(points, at) });
}

/** Divides one point by another if the paper only says which is greater. */
export function ratioSide(a: At, b: At): Reading<Side> {
  return sided(over(a, b));
}

/** Divides one point by another if the paper calls the factor an order of magnitude. */
export function ratioMagnitude(a: At, b: At): Reading<number> {
  return magnitude(over(a, b));
}

/** Divides the best of some series by another at one place, if the paper only says which is greater. */
export function bestSide(names: readonly string[], other: string, x: Point["x"]): Reading<Side> {
  return sided({
    what: `the highest of ${names.join(" and ")} at ${x}, divided by ${other}`,
    read: (points) => {
      const all = names.map((series) => value(points, { series, x }));
      const below = value(points, { series: other, x });
      return all.includes(null) || below === null ? null : Math.max(...(all as number[])) / below;
    },
  });
}

/** Divides the change of one series between two places by the change of another series, which is the control. */
export function relative(series: string, control: string, x: Point["x"], from: Point["x"]): Reading<Side> {
  const change = (of: string) => over({ series: of, x }, { series: of, x: from });
  const [own, other] = [change(series), change(control)];
  return sided({
    what: `${own.what}, divided by the same ratio for ${control}`,
    read: (points) => {
      const [above, below] = [own.read(points), other.read(points)];
      return above === null || below === null ? null : above / below;
    },
  });
}

/** A range that the paper states for a factor. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Divides one point by another if the paper states a range, or two numbers that contradict each other. */
export function ratioWithin(a: At, b: At): Reading<Range> {
  const { what, read } = over(a, b);
  return {
    how: `${what}. Both agree if ours is in the paper's range. They are reversed if all of it is on the other side of 1`,
    read: (points) => {
      const found = read(points);
      return found === null ? null : { low: found, high: found };
    },
    text: ({ low, high }) => (low === high ? factorText(low) : `${digits(low)} to ${factorText(high)}`),
    compare: (paper, { low: ours }) => {
      if (ours >= paper.low && ours <= paper.high) return "agrees";
      const sides = [paper.low, paper.high].map(side);
      return side(ours) !== 0 && sides.every((one) => one === -side(ours)) ? "reversed" : "differs";
    },
  };
}

export const PICKS: Readonly<Record<"least" | "median" | "most", (values: readonly number[]) => number>> = {
  least: (values) => Math.min(...values),
  median,
  most: (values) => Math.max(...values),
};

const PICK_NAMES = { least: "lowest", median: "median", most: "highest" } as const;

function factors(points: readonly Point[], a: string, b: string): number[] {
  return of(points, a).flatMap(({ x, y }) => {
    const other = value(points, { series: b, x });
    return other === null ? [] : [y / other];
  });
}

/** Places of a series, with both ends. */
export interface Places {
  readonly from?: number;
  readonly upTo?: number;
}

function placesText({ from, upTo }: Places): string {
  return [
    from === undefined ? "" : ` from ${digits(from)} on`,
    upTo === undefined ? "" : ` up to ${digits(upTo)}`,
  ].join("");
}

function picked(pick: keyof typeof PICKS, a: string, b: string, places: Places = {}): Factor {
  const { from = Number.NEGATIVE_INFINITY, upTo = Number.POSITIVE_INFINITY } = places;
  const everywhere = places.from === undefined && places.upTo === undefined;
  const isPlace = ({ x }: PlaceOf) => everywhere || (Number(x) >= from && Number(x) <= upTo);
  return {
    needs: (place) => [a, b].includes(place.series) && isPlace(place),
    what: `the ${PICK_NAMES[pick]} ratio of ${a} to ${b} over all places${placesText(places)}`,
    read: (points) => {
      const found = factors(points.filter(isPlace), a, b);
      return found.length === 0 ? null : PICKS[pick](found);
    },
  };
}

/** The lowest, median or highest ratio of one series to another. */
export function ratios(pick: keyof typeof PICKS, a: string, b: string, places?: Places): Reading<number> {
  return sized(picked(pick, a, b, places));
}

/** The lowest ratio of some series to others, if the paper says that they are never behind. */
export function ratiosFrom(
  pairs: readonly (readonly [a: string, b: string])[],
  limit: number,
): Reading<number> {
  const all = pairs.map(([a, b]) => picked("least", a, b));
  return {
    ...every(...pairs.flat()),
    how: `${all.map(({ what }) => what).join(", and ")}. Both agree from ${limit}x on. They are reversed if ours is at most a half`,
    read: (points) => {
      const found = all.map(({ read }) => read(points));
      return found.includes(null) ? null : Math.min(...(found as number[]));
    },
    text: factorText,
    compare: (_paper, ours) => (ours >= limit ? "agrees" : ours <= 0.5 ? "reversed" : "differs"),
  };
}

/** The same if the paper only states which is greater. */
export function ratiosSide(pick: keyof typeof PICKS, a: string, b: string, places?: Places): Reading<Side> {
  return sided(picked(pick, a, b, places));
}

/** The same if the paper calls the ratio an order of magnitude. */
export function ratiosMagnitude(pick: keyof typeof PICKS, a: string, b: string): Reading<number> {
  return magnitude(picked(pick, a, b));
}

/** The share of places at which one series is above another. */
export function winsShare(a: string, b: string): Reading<number> {
  return {
    ...every(a, b),
    how: `the share of places at which ${a} is above ${b}. Both agree on the same side of one half`,
    read: (points) => {
      const found = factors(points, a, b);
      return found.length === 0 ? null : found.filter((factor) => factor > 1).length / found.length;
    },
    text: (share) => `${Math.round(share * 100)}%`,
    compare: (paper, ours) => (paper > 0.5 === ours > 0.5 ? "agrees" : "reversed"),
  };
}

/** The mean of a series up to a place, divided by its mean after it, if the paper only says which is greater. */
export function before(series: string, upTo: number): Reading<Side> {
  return sided({
    ...every(series),
    what: `the mean of ${series} up to ${upTo} divided by its mean after that`,
    read: (points) => {
      const all = of(points, series);
      const [low, high] = [all.filter(({ x }) => Number(x) <= upTo), all.filter(({ x }) => Number(x) > upTo)];
      return low.length === 0 || high.length === 0 ? null : mean(low) / mean(high);
    },
  });
}

/** Whether the data matter less to one series than to another, if the paper only says that they do. */
export function steadier(a: string, b: string): Reading<Side> {
  return sided({
    ...every(a, b),
    what: `lowest over highest value of ${a}, divided by the same ratio for ${b}`,
    read: (points) => {
      const [one, other] = [a, b].map((series) => {
        const values = of(points, series).map(({ y }) => y);
        return values.length < 2 ? null : Math.min(...values) / Math.max(...values);
      });
      return one == null || other == null ? null : one / other;
    },
  });
}
