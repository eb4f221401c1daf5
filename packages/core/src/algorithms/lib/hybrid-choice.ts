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
 * Milliseconds that a launch takes beyond the share of its features, measured on an H200. A launch over 4 of 1,024
 * features takes 20 to 44 µs, and their share of a launch over all is 3 to 14 µs. Between launches of other methods it
 * takes 40 µs more than its features gain.
 */
const LAUNCH_MS = 0.04;

/** A choice that is still to be made: the feature, the kind of call, and its times. */
type Timed = Omit<HybridChoice, "algorithm">;

/**
 * Returns the choices for features that were timed together: the fastest method for all of them. Some of them take
 * another one if it is clearly faster for each of these, and if they gain more together than their launch costs. In a
 * tie it is the first candidate.
 */
export function choicesOf(candidates: readonly string[], timed: readonly Timed[]): HybridChoice[] {
  const usual = fastest(candidates, sumOf(timed.map(({ ms }) => ms)));
  const wanted = timed.map(({ ms }) => {
    const own = fastest(candidates, ms);
    return timeIn(ms, own) <= CLEARLY_FASTER * timeIn(ms, usual) ? own : usual;
  });
  const gains = sumOf(
    timed.map(({ ms }, i) => ({ [wanted[i]!]: timeIn(ms, usual) - timeIn(ms, wanted[i]!) })),
  );
  return timed.map(({ ms, ...of }, i) => {
    const algorithm = gains[wanted[i]!]! > LAUNCH_MS ? wanted[i]! : usual;
    return Object.freeze({ ...of, algorithm, ms: Object.freeze({ ...ms }) });
  });
}

function sumOf(all: readonly Times[]): Times {
  const sum: Record<string, number> = {};
  for (const [method, ms] of all.flatMap((times) => Object.entries(times)))
    sum[method] = (sum[method] ?? 0) + ms!;
  return sum;
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
