import { limits } from "@polybin/core/backend";

/** Words that a thread bins between two row sums. */
const wordsPerSum = (k: number): number => limits.trishLoops(k) * k;

/** Brown & Snoeyink's section 6.2, as far as exact counts allow, in GB/s. */
export interface Degraded {
  readonly measured: { readonly k1: number; readonly k31: number; readonly k32: number };
  /** An estimate without the row sums. */
  readonly withoutAccumulation: { readonly k1: number; readonly k31: number };
  /** Gain of instruction-level parallelism: k = 31 over k = 1, both without the row sums. */
  readonly ilpGain: number;
}

/**
 * Estimates the time without row sums. k = 31 and k = 32 do nearly the same work between two row sums, but sum every 62 and
 * every 32 words. Their difference gives the cost of accumulation, which is subtracted.
 */
export function degraded(bytes: number, ms1: number, ms31: number, ms32: number): Degraded {
  const cost = (ms32 - ms31) / (1 / wordsPerSum(32) - 1 / wordsPerSum(31));
  const gbps = (ms: number) => bytes / ms / 1e6;
  const without = { k1: gbps(ms1 - cost / wordsPerSum(1)), k31: gbps(ms31 - cost / wordsPerSum(31)) };
  return {
    measured: { k1: gbps(ms1), k31: gbps(ms31), k32: gbps(ms32) },
    withoutAccumulation: without,
    ilpGain: without.k31 / without.k1,
  };
}
