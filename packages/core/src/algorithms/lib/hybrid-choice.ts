import type { Precision } from "../../weights/index.ts";

/** What the hybrid found for one feature of a table, for calls of one precision with or without `skip`. */
export interface HybridChoice {
  readonly feature: number;
  readonly bins: number;
  readonly precision: Precision;
  readonly skip: boolean;
  readonly algorithm: string;
  /** Milliseconds of the first round, of each method that was tried; empty where the bins alone decided. */
  readonly ms: Readonly<Partial<Record<string, number>>>;
}

/** The choice that the times of a first round make; the first of equals. */
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

/** "feature 17: 1024 bins, collision-reduced, 3.1x collision"; "1024 bins, fast, skip, …" for such calls. */
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
