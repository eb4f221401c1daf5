import type { Precision } from "../../weights/index.ts";

/** The choice of the hybrid for one feature of a table, for calls of one precision with or without `skip`. */
export interface HybridChoice {
  readonly feature: number;
  readonly bins: number;
  readonly precision: Precision;
  readonly skip: boolean;
  readonly algorithm: string;
  /** Milliseconds of each method in the first round. Empty if the bins alone decided. */
  readonly ms: Readonly<Partial<Record<string, number>>>;
}

/** Returns the choice with the lowest time in the first round, and the first candidate in a tie. */
export function choiceOf(
  candidates: readonly string[],
  of: Omit<HybridChoice, "algorithm" | "ms">,
  ms: Readonly<Partial<Record<string, number>>>,
): HybridChoice {
  const algorithm = candidates.reduce((best, next) =>
    (ms[next] ?? Number.POSITIVE_INFINITY) < (ms[best] ?? Number.POSITIVE_INFINITY) ? next : best,
  );
  return Object.freeze({ ...of, algorithm, ms: Object.freeze({ ...ms }) });
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
