import { median } from "../../src/runner/statistics.ts";
import type { Point, Reading, Verdict } from "../model.ts";
import { type At, digits, mean, of, value } from "./points.ts";

/** A factor within this distance of 1 is a draw. */
const DRAW = 0.05;

/** Two factors on the same side of 1 agree up to this ratio. */
const ALIKE = 3;

/** Classifies a factor: -1 below 1, 0 a draw, 1 above. */
function side(factor: number): number {
  return Math.abs(Math.log(factor)) <= Math.log(1 + DRAW) ? 0 : Math.sign(Math.log(factor));
}

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
  read(points: readonly Point[]): number | null;
}

/** A factor for which the paper gives a number. */
function sized({ what, read }: Factor): Reading<number> {
  return { how: `${what}. ${SIDES}`, read, text: factorText, compare: compareSides };
}

/** A side of 1, and the factor if it is known. */
export interface Side {
  readonly side: "below 1" | "a draw" | "above 1";
  readonly factor?: number;
}

/** A factor for which the paper states only the side of 1: that something is faster, or slower. */
function sided({ what, read }: Factor): Reading<Side> {
  return {
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

function over(a: At, b: At): Factor {
  const name = ({ series, x }: At) =>
    [series, typeof x === "number" ? digits(x) : x].filter((part) => part !== undefined).join(" at ");
  return {
    what: `${name(a)} divided by ${name(b)}`,
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

/** Divides one point by another if the paper only says which is greater. */
export function ratioSide(a: At, b: At): Reading<Side> {
  return sided(over(a, b));
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

/** The lowest, median or highest ratio of one series to another, from a place on. */
export function ratios(pick: keyof typeof PICKS, a: string, b: string, from?: number): Reading<number> {
  return sized({
    what: `the ${PICK_NAMES[pick]} ratio of ${a} to ${b} over all places${from === undefined ? "" : ` from ${digits(from)} on`}`,
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

/** The share of places at which one series is above another. */
export function winsShare(a: string, b: string): Reading<number> {
  return {
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
