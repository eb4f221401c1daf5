import type { SampleArray } from "../input/index.ts";

/**
 * Returns x % period for each finite sample, which is exact, and other samples as they are. Circular axes over samples
 * of 32 and 64 bits count remainders.
 */
export function remainders(run: SampleArray, period: number): Float64Array {
  const out = new Float64Array(run.length);
  for (let i = 0; i < out.length; i++) {
    const value = run[i]!;
    out[i] = Math.abs(value) === Infinity ? value : value % period;
  }
  return out;
}
