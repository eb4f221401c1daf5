import {
  type Axis,
  boolean,
  integer,
  isPolybinError,
  regular,
  type SampleType,
  variable,
} from "@polybin/core";
import { edgesOf } from "@polybin/core/backend";
import { type End, type LogicalType, sampleTypeOf } from "../../table/index.ts";
import { FINE } from "../limits.ts";
import { momentKindOf } from "../partial/plan.ts";

/** The bins that are counted, and how many of them make a bin of the result. */
export interface FineAxis {
  readonly axis: Axis;
  readonly joined: number;
  /** Whether each bin holds one integer, and all values of the range have a bin. */
  readonly whole: boolean;
}

/** Smaller doubles have fewer bits. */
const SMALLEST_NORMAL = 2 ** -1022;

/** The most bins that are counted for one column. */
const MOST_FINE = 65_536;

/**
 * Returns bins over a range that the user gives: `bins` equal ones in the result, with NumPy's edges, each counted as FINE.
 * @throws ERR_AXIS, ERR_LIMIT for a range or a number of bins that makes no axis.
 */
export function givenAxis(type: SampleType, bins: number, lo: number, hi: number): FineAxis {
  const axis = regular(bins, lo, hi);
  edgesOf(axis, type);
  return fineOf(type, bins, lo, hi) ?? { axis, joined: 1, whole: false };
}

/**
 * Returns bins from the smallest to the largest value of a column, at most `bins` in the result. Bins of integers hold
 * equally many integers each. Null if no bins fit the range.
 */
export function axisOf(logical: LogicalType, bins: number, min: End, max: End): FineAxis | null {
  if (logical.kind === "boolean") return { axis: boolean(), joined: 1, whole: true };
  const type = sampleTypeOf(logical)!;
  if (momentKindOf(logical) !== "float") return integerAxis(type, bins, BigInt(min), BigInt(max));
  const [lo, hi] = [Number(min), Number(max)];
  if (lo === hi) return around(type, bins, lo);
  if (hi - lo === Infinity) {
    const joined = bins * FINE > MOST_FINE ? 1 : FINE;
    return tried(type, () => ({ axis: variable(spread(bins * joined, lo, hi)), joined, whole: false }));
  }
  return fineOf(type, bins, lo, hi) ?? coarseOf(type, bins, lo, hi) ?? coarseOf(type, 1, lo, hi);
}

/** Dividing a step by a power of two is exact, unless it underflows, so every FINE-th edge is NumPy's. */
function fineOf(type: SampleType, bins: number, lo: number, hi: number): FineAxis | null {
  if (bins * FINE > MOST_FINE || (hi - lo) / (bins * FINE) < SMALLEST_NORMAL) return null;
  return tried(type, () => ({ axis: regular(bins * FINE, lo, hi), joined: FINE, whole: false }));
}

function coarseOf(type: SampleType, bins: number, lo: number, hi: number): FineAxis | null {
  return tried(type, () => ({ axis: regular(bins, lo, hi), joined: 1, whole: false }));
}

/** One value: a bin of the width 1 around it, or the narrowest that has two edges. */
function around(type: SampleType, bins: number, value: number): FineAxis | null {
  const half = Math.max(0.5, Math.abs(value) * (type === "f32" ? 2 ** -20 : 2 ** -50));
  const [lo, hi] = [Math.max(value - half, -Number.MAX_VALUE), Math.min(value + half, Number.MAX_VALUE)];
  return coarseOf(type, bins, lo, hi) ?? coarseOf(type, 1, lo, hi);
}

function integerAxis(type: SampleType, bins: number, min: bigint, max: bigint): FineAxis | null {
  const values = max - min + 1n;
  const each = (values + BigInt(bins) - 1n) / BigInt(bins);
  const one = each * BigInt(bins) <= BigInt(MOST_FINE);
  // If there are more integers than bins, FINE bins are counted for each bin of the result.
  const width = one ? 1n : (each + BigInt(FINE) - 1n) / BigInt(FINE);
  const joined = one ? Number(each) : FINE;
  const whole = width * BigInt(joined);
  const count = Number((values + whole - 1n) / whole) * joined;
  const [lo, hi] = [Number(min), Number(min + width * BigInt(count))];
  if (Number.isSafeInteger(lo) && Number.isSafeInteger(hi) && count <= MOST_FINE) {
    return tried(type, () => ({ axis: one ? integer(lo, hi) : regular(count, lo, hi), joined, whole: one }));
  }
  // The edges are doubles below and above the integers.
  const [from, to] = [below(min), above(max)];
  return fineOf(type, bins, from, to) ?? coarseOf(type, bins, from, to) ?? coarseOf(type, 1, from, to);
}

/** The bits of a double's fraction. */
const FRACTION_BITS = 52;

/** The largest double that is not above an integer, or one below it. */
function below(value: bigint): number {
  const near = Number(value);
  return BigInt(near) <= value ? near : near - ulp(near);
}

/** A double above an integer. */
function above(value: bigint): number {
  const near = Number(value);
  return BigInt(near) > value ? near : near + ulp(near);
}

/** The distance of neighbouring doubles, for integers. */
function ulp(value: number): number {
  return 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, Math.abs(value)))) - FRACTION_BITS);
}

/** Evenly spaced numbers, also if the range is wider than the largest double. */
function spread(bins: number, lo: number, hi: number): number[] {
  return Array.from({ length: bins + 1 }, (_, i) => lo * (1 - i / bins) + hi * (i / bins));
}

/** Returns null if no axis is possible, since two edges would be the same number of the type. */
function tried(type: SampleType, make: () => FineAxis): FineAxis | null {
  try {
    const made = make();
    edgesOf(made.axis, type);
    return made;
  } catch (error) {
    if (isPolybinError(error) && (error.code === "ERR_AXIS" || error.code === "ERR_INPUT")) return null;
    throw error;
  }
}
