import { PolybinError } from "../base/index.ts";
import { F64_NORMAL_MIN, LIMB_BITS } from "./limits.ts";
import { largestInteger } from "./weights.ts";

/**
 * Checks that doubles hold the squares of the weights, each rounded once.
 * @param name their name in errors
 * @throws ERR_LIMIT if a square is infinite, or so small that it has lost digits or became 0.
 */
export function checkSquares(weights: Float32Array | Float64Array, name: string): void {
  // A double holds the square of every 32-bit float exactly.
  if (weights instanceof Float32Array) return;
  for (let i = 0; i < weights.length; i++) {
    const square = weights[i]! * weights[i]!;
    if ((square >= F64_NORMAL_MIN && square <= Number.MAX_VALUE) || weights[i] === 0) continue;
    throw new PolybinError(
      "ERR_LIMIT",
      `expected weights whose squares a double holds, from 1.5e-154 to 1.3e154, but ${name}[${i}] is ${weights[i]}: scale the weights, set negligible ones to 0, or leave squares out`,
    );
  }
}

/** @throws ERR_LIMIT if the sum of the limbs of this number of samples may exceed what a double holds exactly. */
export function checkAddends(samples: number): void {
  if (largestInteger(samples) >= 2 ** LIMB_BITS - 1) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most 2^33 samples with weights but received ${samples}: split the samples over several calls, or use precision fast`,
  );
}

/**
 * @param flow names of the entries after the bins
 * @param name the name of the weights in errors
 * @throws ERR_LIMIT if a sum exceeds the largest double.
 */
export function checkFinite(
  sums: Float64Array | null,
  bins: number,
  flow: readonly string[],
  name: string,
): void {
  const infinite = sums?.findIndex((sum) => !Number.isFinite(sum)) ?? -1;
  if (infinite < 0) return;
  const place = infinite < bins ? `bin ${infinite}` : flow[infinite - bins];
  throw new PolybinError(
    "ERR_LIMIT",
    `expected sums up to ${Number.MAX_VALUE}, the largest double, but the sum of ${place} is larger: scale ${name}`,
  );
}
