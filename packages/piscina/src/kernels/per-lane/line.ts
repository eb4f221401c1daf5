/**
 * The guess of line.as.ts, calculated as it does: so it is known beforehand, for every axis, where each threshold comes
 * to lie. A guess never falls as samples rise, since every operation in it is rounded and none of them falls; what
 * holds at the thresholds, and right before them, holds everywhere.
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

/** Which of the kernel's formulas. */
export type Form = "cells32" | "cells64" | "bins32" | "bins64" | "words";

const FLOAT_ONE = 1.5 * 2 ** 23;
const DOUBLE_ONE = 2 ** 52;
/** What a high word is worth. */
const HIGH = 2 ** 32;
/** Unsigned integers are lowered by so much, to be signed. */
export const SIGN: number = 2 ** 31;

/** The cell or row that a kernel guesses for a sample; of a u32 its signed counterpart. NaN where it has none. */
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

/** A line on which a threshold's cell is its place, and 1: `cell(origin) = 1`, a cell each `1 / scale`. */
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

/** A line whose floor is the bin, and so the row 2 less. */
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
  // An integer that is an edge must not be rounded below it; the next one below is further off than this.
  const nudge = perUnit / (2 * bins);
  return {
    ...ends,
    nan: ends.low,
    origin: 0,
    scale: perUnit * HIGH,
    bias: DOUBLE_ONE + (2 + nudge - lo * perUnit) * HIGH,
  };
}

/** Are all of its numbers and guesses finite, and does NaN come to lie in row 0? */
export function isSound(form: Form, line: Line): boolean {
  const { low, high, nan, origin, scale, bias } = line;
  const guesses = [low, high].map((sample) => guessOf(form, line, sample));
  if (![low, high, nan, origin, scale, bias, ...guesses].every(Number.isFinite) || !(scale > 0)) return false;
  return form === "words" || (nan < low && guessOf(form, { ...line, low: nan }, nan) === 0);
}
