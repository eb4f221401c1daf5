import { PolybinError } from "../base/index.ts";

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
