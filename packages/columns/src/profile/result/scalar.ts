import type { Scalar } from "../json.ts";
import type { Value } from "../values/keys.ts";

/** A value as JSON: integers that no double holds, and infinities, as strings. */
export function scalarOf(value: Value): Scalar {
  if (typeof value === "string") return value;
  const number = Number(value);
  if (typeof value === "bigint") return Number.isSafeInteger(number) ? number : value.toString();
  return Number.isFinite(number) ? number : String(number);
}

/** Moments of the largest doubles may be infinite, which JSON does not hold. */
export function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
