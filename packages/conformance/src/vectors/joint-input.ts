import type { SampleType } from "@polybin/core";
import type { SampleArray } from "@polybin/core/backend";
import { samplesOfType } from "../generators.ts";

/** How the samples of a column are generated. `vectors/joint.py` generates the same. */
export interface ColumnSource {
  readonly type: SampleType;
  readonly seed: number;
  /** The values of the samples. JSON has no NaN and infinity, so they are "nan", "inf" and "-inf". */
  readonly values: readonly (number | string)[];
}

const WORDS: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Infinity, "-inf": -Infinity };

/** Converts a number of JSON, where NaN and infinity are words. */
export function numberOf(value: number | string): number {
  return typeof value === "number" ? value : WORDS[value]!;
}

/** Generates `n` samples values[(x >> 8) % values.length], where x is a linear congruential sequence. */
export function columnOf({ type, seed, values }: ColumnSource, n: number): SampleArray {
  const out = samplesOfType(type, n);
  let x = seed;
  for (let i = 0; i < n; i++) {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    out[i] = numberOf(values[(x >>> 8) % values.length]!);
  }
  return out;
}
