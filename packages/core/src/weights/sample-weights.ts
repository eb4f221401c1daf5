import { PolybinError } from "../base/index.ts";
import { F64_NORMAL_MIN, LIMB_BITS } from "./limits.ts";
import { largestInteger } from "./weights.ts";

/**
 * Squares as doubles: each is rounded once, as any product is, unless it is past a double's ends.
 * @throws ERR_LIMIT where one is infinite, or so small that it has lost digits or all of itself.
 */
export function checkSquares(weights: Float32Array | Float64Array): void {
  // The square of a 32-bit float is a double, whatever it is.
  if (weights instanceof Float32Array) return;
  for (let i = 0; i < weights.length; i++) {
    const square = weights[i]! * weights[i]!;
    if ((square >= F64_NORMAL_MIN && square <= Number.MAX_VALUE) || weights[i] === 0) continue;
    throw new PolybinError(
      "ERR_LIMIT",
      `expected weights whose squares a double holds, from 1.5e-154 to 1.3e154, but weights[${i}] is ${weights[i]}: scale the weights, set those to 0 that are too small to matter, or leave squares out`,
    );
  }
}

/** @throws ERR_LIMIT for so many samples that the limbs of their weights might add up to more than a double holds exactly. */
export function checkAddends(samples: number): void {
  if (largestInteger(samples) >= 2 ** LIMB_BITS - 1) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most 2^33 samples with weights but received ${samples}: add parts of them up, or take precision fast`,
  );
}

/** @throws ERR_LIMIT where a sum is past the largest double. `flow`: the names of what is after the bins. */
export function checkFinite(sums: Float64Array | null, bins: number, flow: readonly string[]): void {
  const infinite = sums?.findIndex((sum) => !Number.isFinite(sum)) ?? -1;
  if (infinite < 0) return;
  const place = infinite < bins ? `bin ${infinite}` : flow[infinite - bins];
  throw new PolybinError(
    "ERR_LIMIT",
    `expected sums up to ${Number.MAX_VALUE}, the largest double, but that of ${place} is larger: scale the weights`,
  );
}
