import { SMALL_BINS } from "../base/index.ts";
import type { WeightedMethod, WeightedParameters } from "../plan/index.ts";
import type { Precision } from "../weights/index.ts";

/** What the hybrid found for one feature of a table, for calls of one precision with or without `skip`. */
export interface HybridChoice {
  readonly feature: number;
  readonly bins: number;
  readonly precision: Precision;
  readonly skip: boolean;
  readonly algorithm: WeightedMethod;
  /** Milliseconds of the first round, of each method that was tried; empty where the bins alone decided. */
  readonly ms: Readonly<Partial<Record<WeightedMethod, number>>>;
}

/**
 * For each feature the best of three (Tables 1 and 7): few bins take weighted-collision-free; of the other two the one
 * that was faster in the first round, which is worth it because the same features are added up again and again. It has
 * no kernel of its own: core deals the features out to the kernels of the three.
 */
export const weightedHybrid: {
  readonly slug: "weighted-hybrid";
  readonly title: string;
  readonly source: string;
  readonly parameters: Readonly<WeightedParameters>;
  /** The methods that the first round tries on a feature of so many bins; one: the bins decide. */
  readonly candidates: (bins: number) => readonly WeightedMethod[];
} = {
  slug: "weighted-hybrid",
  title: "for each feature the best of the three, by its bins and a measured first round",
  source: "Xu et al., 4.5 Hybrid Method, Tables 1 and 7",
  parameters: { buffer: undefined, unroll: undefined, warps: undefined },
  candidates: (bins) =>
    bins <= SMALL_BINS ? ["weighted-collision-free"] : ["weighted-collision", "weighted-collision-reduced"],
};

/** The choice that the times of a first round make; the first of equals. */
export function choiceOf(
  of: Omit<HybridChoice, "algorithm" | "ms">,
  ms: Readonly<Partial<Record<WeightedMethod, number>>>,
): HybridChoice {
  const candidates = weightedHybrid.candidates(of.bins);
  const algorithm = candidates.reduce((best, next) =>
    (ms[next] ?? Number.POSITIVE_INFINITY) < (ms[best] ?? Number.POSITIVE_INFINITY) ? next : best,
  );
  return Object.freeze({ ...of, algorithm, ms: Object.freeze({ ...ms }) });
}

/** "feature 17: 1024 bins, collision-reduced, 3.1x collision"; "1024 bins, fast, skip, …" for such calls. */
export function describeChoice({ feature, bins, precision, skip, algorithm, ms }: HybridChoice): string {
  const others = Object.entries(ms)
    .filter(([name]) => name !== algorithm)
    .map(([name, time]) => `, ${(time / (ms[algorithm] ?? time)).toFixed(1)}x ${short(name)}`);
  const kind = [precision === "fast" ? "fast, " : "", skip ? "skip, " : ""].join("");
  return `feature ${feature}: ${bins} bins, ${kind}${short(algorithm)}${others.join("")}`;
}

function short(slug: string): string {
  return slug.replace("weighted-", "");
}
