import type { SampleType } from "@polybin/core";
import type { SampleArray } from "@polybin/core/backend";
import { samplesOfType } from "../generators.ts";

/** How a vector's input is generated. `vectors/make.py` generates the same. */
export interface Source {
  readonly n: number;
  readonly seed: number;
  readonly shift: number;
  readonly mask: number;
  readonly offset: number;
  readonly scale: number;
}

/** Generates n values (k - offset) * scale with k = (x >> shift) & mask, where x is a linear congruential sequence. */
export function inputOf(type: SampleType, { n, seed, shift, mask, offset, scale }: Source): SampleArray {
  const out = samplesOfType(type, n);
  let x = seed;
  for (let i = 0; i < n; i++) {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    out[i] = ((((x >>> shift) & mask) >>> 0) - offset) * scale;
  }
  return out;
}
