import { edge } from "../../base/index.ts";
import type { Stat, Stats } from "../stats.ts";

/** The numbers of a channel in words: those of the samples, and the thresholds. */
export function statsInWords({ mean, stddev, mode, entropy, thresholds }: Stats): {
  readonly numbers: readonly string[];
  readonly thresholds: readonly string[];
} {
  return {
    numbers: [
      `mean ${inWords(mean)}`,
      `standard deviation ${inWords(stddev)}`,
      `mode ${inWords(mode)}`,
      `entropy ${entropy === null ? "none" : `${edge(entropy)} bits`}`,
    ],
    thresholds: Object.entries(thresholds).map(
      ([name, found]) => `${name} ${found === null ? "none" : inWords(found)}`,
    ),
  };
}

/** A number, with its bounds if they differ from it by more than rounding. */
function inWords({ value, low, high }: Stat): string {
  const [text, from, to] = [value, low, high].map((part) => (part === null ? null : edge(part)));
  if (text === null && from === null && to === null) return "none";
  if (from === text && to === text) return String(text);
  const bounds = from === null ? `at most ${to}` : to === null ? `at least ${from}` : `${from} to ${to}`;
  return text === null ? bounds : `${text} (${bounds})`;
}
