import type { Precision } from "../../weights/index.ts";

/** Milliseconds by method. */
type Times = Readonly<Partial<Record<string, number>>>;

/** The choice of the hybrid for one feature of a table, for calls of one precision with or without `skip`. */
export interface HybridChoice {
  readonly feature: number;
  readonly bins: number;
  readonly precision: Precision;
  readonly skip: boolean;
  readonly algorithm: string;
  /**
   * Milliseconds of each method in the first round: the feature's share of the time in which the features with the same
   * number of bins ran together. Empty if there was one method only.
   */
  readonly ms: Times;
}

/**
 * A feature takes another method than the features next to it if that takes at most this share of the time. Shares of
 * less contrast are within the noise of one round.
 */
const CLEARLY_FASTER: number = 4 / 5;

/**
 * Returns the choice for a feature: the fastest method for all features that were timed together, or another one that is
 * clearly faster for this feature. In a tie it is the first candidate.
 * @param ms the feature's times
 * @param all the times of all features that were timed together. Default: of this one only.
 */
export function choiceOf(
  candidates: readonly string[],
  of: Omit<HybridChoice, "algorithm" | "ms">,
  ms: Times,
  all: Times = ms,
): HybridChoice {
  const [usual, own] = [fastest(candidates, all), fastest(candidates, ms)];
  const isClear = timeIn(ms, own) <= CLEARLY_FASTER * timeIn(ms, usual);
  return Object.freeze({ ...of, algorithm: isClear ? own : usual, ms: Object.freeze({ ...ms }) });
}

function fastest(candidates: readonly string[], ms: Times): string {
  return candidates.reduce((best, next) => (timeIn(ms, next) < timeIn(ms, best) ? next : best));
}

function timeIn(ms: Times, method: string): number {
  return ms[method] ?? Number.POSITIVE_INFINITY;
}

/**
 * Describes a choice, such as "feature 17: 1024 bins, collision-reduced, 3.1x collision" or "1024 bins, fast, skip,
 * …".
 */
export function describeChoice({ feature, bins, precision, skip, algorithm, ms }: HybridChoice): string {
  const others = Object.entries(ms)
    .filter(([name]) => name !== algorithm)
    .map(([name, time]) => `, ${(time! / (ms[algorithm] ?? time!)).toFixed(1)}x ${short(name)}`);
  const kind = [precision === "fast" ? "fast, " : "", skip ? "skip, " : ""].join("");
  return `feature ${feature}: ${bins} bins, ${kind}${short(algorithm)}${others.join("")}`;
}

function short(slug: string): string {
  return slug.replace("weighted-", "");
}
