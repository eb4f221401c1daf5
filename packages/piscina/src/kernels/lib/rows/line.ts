/**
 * The guess of line.as.ts, computed in the same way. So the cell of each threshold is known beforehand for every axis.
 * A guess never falls as samples rise, because no operation in it falls, and neither does rounding. Checks at the
 * thresholds and right before them therefore cover all samples.
 */
export interface Line {
  readonly low: number;
  readonly high: number;
  readonly nan: number;
  readonly origin: number;
  readonly scale: number;
  readonly bias: number;
  readonly last: number;
}

/** The kernel's formulas. */
export type Form = "cells32" | "cells64" | "bins32" | "bins64" | "words";

const FLOAT_ONE = 1.5 * 2 ** 23;
const DOUBLE_ONE = 2 ** 52;
/** The value of a high word's lowest bit. */
const HIGH = 2 ** 32;
/** Unsigned integers are lowered by this number, so that they become signed. */
export const SIGN: number = 2 ** 31;

/**
 * Returns the cell or row that a kernel guesses for a sample. For a u32 the sample is its signed counterpart. Returns
 * NaN if there is no guess.
 */
export function guessOf(form: Form, line: Line, sample: number): number {
  const { low, high, origin, scale, bias } = line;
  const x = Math.min(Math.max(sample, low), high);
  const along = (x - origin) * scale;
  const { fround, floor } = Math;
  switch (form) {
    case "cells32":
      return fround(fround(fround(fround(x - origin) * scale) + bias)) - FLOAT_ONE;
    case "bins32":
      return fround(floor(fround(fround(x - origin) * scale)) + bias) - FLOAT_ONE;
    case "bins64":
      return floor(along) + bias - DOUBLE_ONE;
    default:
      return floor((x * scale + bias) / HIGH) - DOUBLE_ONE / HIGH;
  }
}

/** Returns a line on which a threshold's cell is its place plus 1: `cell(origin) = 1`, one cell per `1 / scale`. */
export function cellLine(form: "cells32" | "cells64", origin: number, end: number, perUnit: number): Line {
  const common = { low: origin, high: end, nan: origin - 1 / perUnit, last: Number.POSITIVE_INFINITY };
  if (form === "cells32") {
    const { fround } = Math;
    return { ...common, nan: fround(common.nan), origin, scale: fround(perUnit), bias: FLOAT_ONE + 1 };
  }
  return {
    ...common,
    origin: 0,
    scale: perUnit * HIGH,
    bias: DOUBLE_ONE + (1.5 - origin * perUnit) * HIGH,
  };
}

/** Returns a line whose floor is the bin. The row is 2 more. */
export function binLine(
  form: "bins32" | "bins64" | "words",
  ends: Pick<Line, "low" | "high" | "last">,
  lo: number,
  perUnit: number,
  bins: number,
): Line {
  const { fround } = Math;
  const nan = lo - 1.5 / perUnit;
  if (form === "bins32") {
    return { ...ends, nan: fround(nan), origin: fround(lo), scale: fround(perUnit), bias: FLOAT_ONE + 2 };
  }
  if (form === "bins64") return { ...ends, nan, origin: lo, scale: perUnit, bias: DOUBLE_ONE + 2 };
  // An integer that is an edge must not be rounded below it. The next integer below is further away than this.
  const nudge = perUnit / (2 * bins);
  return {
    ...ends,
    nan: ends.low,
    origin: 0,
    scale: perUnit * HIGH,
    bias: DOUBLE_ONE + (2 + nudge - lo * perUnit) * HIGH,
  };
}

/** Whether all numbers and guesses of a line are finite, and NaN lies in row 0. */
export function isSound(form: Form, line: Line): boolean {
  const { low, high, nan, origin, scale, bias } = line;
  const guesses = [low, high].map((sample) => guessOf(form, line, sample));
  if (![low, high, nan, origin, scale, bias, ...guesses].every(Number.isFinite) || !(scale > 0)) return false;
  return form === "words" || (nan < low && guessOf(form, { ...line, low: nan }, nan) === 0);
}
