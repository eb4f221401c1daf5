import { type Axis, boolean, integer, isPolybinError, regular, variable } from "@polybin/core";
import type { LogicalType } from "../../table/index.ts";
import { FINE } from "../limits.ts";
import { momentKindOf } from "../partial/plan.ts";

/** The bins that are counted, and how many of them make a bin of the result. */
export interface FineAxis {
  readonly axis: Axis;
  readonly joined: number;
}

/** An end of a range: 64-bit integers are bigints. */
export type End = number | bigint;

/**
 * Returns bins over a range that the user gives: `bins` equal ones in the result, with NumPy's edges, each counted as FINE.
 * @throws ERR_AXIS, ERR_LIMIT for a range or a number of bins that makes no axis.
 */
export function givenAxis(bins: number, lo: number, hi: number): FineAxis {
  // Dividing a step by a power of two is exact, so every FINE-th edge is NumPy's.
  const coarse = regular(bins, lo, hi);
  const fine = bins * FINE <= MOST_FINE ? tried(() => regular(bins * FINE, lo, hi)) : null;
  return fine === null ? { axis: coarse, joined: 1 } : { axis: fine, joined: FINE };
}

/** The most bins that are counted for one column. */
const MOST_FINE = 65_536;

/**
 * Returns bins from the smallest to the largest value of a column, at most `bins` in the result. Bins of integers hold
 * equally many integers each. Null if no bins fit the range.
 */
export function axisOf(logical: LogicalType, bins: number, min: End, max: End): FineAxis | null {
  if (logical.kind === "boolean") return { axis: boolean(), joined: 1 };
  if (momentKindOf(logical) !== "float") return integerAxis(bins, BigInt(min), BigInt(max));
  const [lo, hi] = [Number(min), Number(max)];
  if (lo === hi) return around(bins, lo);
  if (hi - lo === Infinity) return { axis: variable(spread(bins * FINE, lo, hi)), joined: FINE };
  for (const [fine, joined] of [
    [bins * FINE, FINE],
    [bins, 1],
  ] as const) {
    const axis = fine > MOST_FINE ? null : tried(() => regular(fine, lo, hi));
    if (axis !== null) return { axis, joined };
  }
  return tried(() => ({ axis: regular(1, lo, hi), joined: 1 }));
}

/** One value: a bin of the width 1 around it, or the narrowest that has two edges. */
function around(bins: number, value: number): FineAxis | null {
  const half = Math.max(0.5, Math.abs(value) * 2 ** -50);
  return tried(() => ({ axis: regular(bins, value - half, value + half), joined: 1 }));
}

function integerAxis(bins: number, min: bigint, max: bigint): FineAxis | null {
  const values = max - min + 1n;
  const each = (values + BigInt(bins) - 1n) / BigInt(bins);
  // A bin of more than FINE integers is counted as FINE bins.
  const fine = each <= BigInt(FINE) ? 1n : (each + BigInt(FINE) - 1n) / BigInt(FINE);
  const joined = each <= BigInt(FINE) ? Number(each) : FINE;
  const width = fine * BigInt(joined);
  const count = Number((values + width - 1n) / width) * joined;
  const [lo, hi] = [Number(min), Number(min + fine * BigInt(count))];
  if (Number.isSafeInteger(lo) && Number.isSafeInteger(hi)) {
    return { axis: fine === 1n ? integer(lo, hi) : regular(count, lo, hi), joined };
  }
  // The edges are doubles below and above the integers.
  const [from, to] = [below(min), above(max)];
  return tried(() => ({ axis: regular(bins * FINE, from, to), joined: FINE })) ?? around(bins, from);
}

/** The largest double that is not above an integer; `above`, the smallest above it. */
function below(value: bigint): number {
  const near = Number(value);
  return BigInt(near) <= value ? near : near - 2 ** (Math.floor(Math.log2(Math.abs(near))) - 51);
}

function above(value: bigint): number {
  const near = Number(value);
  return BigInt(near) > value ? near : near + 2 ** (Math.floor(Math.log2(Math.max(1, Math.abs(near)))) - 51);
}

/** Evenly spaced numbers, also if the range is wider than the largest double. */
function spread(bins: number, lo: number, hi: number): number[] {
  return Array.from({ length: bins + 1 }, (_, i) => lo * (1 - i / bins) + hi * (i / bins));
}

/** Returns null if no axis is possible, since two edges would be the same double. */
function tried<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (isPolybinError(error) && (error.code === "ERR_AXIS" || error.code === "ERR_INPUT")) return null;
    throw error;
  }
}
