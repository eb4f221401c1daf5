import type { Reduction } from "../../axis/index.ts";
import { PolybinError } from "../../base/index.ts";
import type { Source } from "../../input/index.ts";
import type { OpenBackend } from "../opened/open-backend.ts";

/**
 * Returns true for a resident of 64-bit integers that were rounded down when they were uploaded, which is the whole
 * reduction.
 * @throws ERR_UNSUPPORTED if more was lost than the axis allows.
 */
export function isRounded(
  { converted: types }: OpenBackend,
  { input, type }: Source,
  { period, end }: Reduction,
): boolean {
  if (input.kind !== "resident" || !types.has(input.resident)) return false;
  // No integer lies above an infinite end.
  if (period === null && (end === null || end === Infinity || Math.abs(end) < 2 ** 53)) return true;
  const what =
    period === null ? "an open last bin (closed: false), or an end below 2^53," : "samples in memory";
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected ${what} for this axis over ${type} but received a resident, whose integers were rounded to f64`,
  );
}
