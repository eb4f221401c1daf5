import { expected, MAX_SAMPLES, PolybinError } from "../base/index.ts";
import { A_COUNT, isCount } from "./uhi/json.ts";

/** Combines two numbers of the same cell, or of the same property. */
export type Combine = (a: number, b: number, property?: "masked") => number;

/** Adds counts. @throws ERR_LIMIT if the sum is no longer an exact integer. */
export function exactSum(a: number, b: number): number {
  if (a + b > MAX_SAMPLES) {
    throw new PolybinError(
      "ERR_LIMIT",
      `expected merged counts of at most ${MAX_SAMPLES} but received ${a} + ${b}`,
    );
  }
  return a + b;
}

/** Subtracts counts. @throws ERR_INPUT if the difference is negative. */
export function exactDifference(a: number, b: number, property?: "masked"): number {
  if (a >= b) return a - b;
  const found =
    property === undefined ? `${b} in a bin with ${a}` : `${b} samples ${property}, not at most ${a}`;
  throw new PolybinError("ERR_INPUT", `expected a histogram of some of the same samples but it has ${found}`);
}

/** Adds sums. @throws ERR_LIMIT if a double cannot hold the sum. */
export function finiteSum(a: number, b: number): number {
  const sum = a + b;
  if (Number.isFinite(sum)) return sum;
  throw new PolybinError("ERR_LIMIT", `expected merged sums that are finite but received ${a} + ${b}`);
}

/** Subtracts sums. @throws ERR_LIMIT if a double cannot hold the difference. */
export function finiteDifference(a: number, b: number): number {
  return finiteSum(a, -b);
}

/** Subtracts sums of squares, which only rounding makes negative. */
export function notNegativeDifference(a: number, b: number): number {
  return Math.max(0, a - b);
}

/** Returns the number of masked samples. @throws ERR_INPUT unless it is a count. */
export function checkedMasked(masked: number): number {
  if (isCount(masked)) return masked;
  throw expected("ERR_INPUT", "masked", A_COUNT, masked);
}

/**
 * Adds numbers with Neumaier's compensation for rounding. The sum of counts is the nearest double, and sums with
 * cancellation stay accurate.
 */
export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + lost : sum;
}
