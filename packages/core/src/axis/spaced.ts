import { expected } from "../base/index.ts";
import { checkedBins, variable } from "./axis.ts";
import { areFarApart, type Big, bigOf, doubleOf, power as powerOf, product, quotient, sum } from "./exact.ts";
import { EXPONENT_MAX, EXPONENT_MIN } from "./limits.ts";
import type { AxisEnd, VariableAxis } from "./types.ts";

/**
 * Creates an axis whose edges are evenly spaced in their logarithms, as NumPy's `geomspace`. Edge i is
 * lo (hi / lo)^(i / bins), rounded to the nearest f64. The first edge is lo, and the last is hi. The result is a
 * variable axis: samples compare with its edges exactly.
 * @param options `closed: false` for an open last bin. Default: the last bin includes `hi`.
 * @throws ERR_AXIS unless 0 < lo < hi, both finite, and `bins` is a whole number of at least 1 that allows different
 * edges.
 * @throws ERR_LIMIT above 65,536 bins.
 */
export function log(bins: number, lo: number, hi: number, options: AxisEnd = {}): VariableAxis {
  const count = checkedEnds(bins, lo, hi, (value) => value > 0, "a finite number above 0");
  const step = powerOf(quotient(bigOf(hi), bigOf(lo)), 1, count);
  let at = bigOf(lo);
  return between(count, lo, hi, options, () => {
    at = product(at, step);
    return doubleOf(at);
  });
}

/**
 * Creates an axis whose edges are evenly spaced in their powers, as boost-histogram's `transform.Pow`. Edge i is
 * (lo^p + (hi^p - lo^p) i / bins)^(1 / p) for the exponent p, rounded to the nearest f64, ties to even. The first edge is
 * lo, and the last is hi. The result is a variable axis: samples compare with its edges exactly.
 * @param exponent for example 0.5 for bins that are even in the square root, or 2 for bins that are even in the square.
 * @param options `closed: false` for an open last bin. Default: the last bin includes `hi`.
 * @throws ERR_AXIS unless 0 <= lo < hi, both finite, `lo` is above 0 for a negative exponent, the exponent's magnitude
 * is from 0.001 to 1,000, and `bins` is a whole number of at least 1 that allows different edges.
 * @throws ERR_LIMIT above 65,536 bins.
 */
export function power(
  bins: number,
  lo: number,
  hi: number,
  exponent: number,
  options: AxisEnd = {},
): VariableAxis {
  const size = Math.abs(exponent);
  if (typeof exponent !== "number" || !(size >= EXPONENT_MIN && size <= EXPONENT_MAX)) {
    const what = `a number with a magnitude from ${EXPONENT_MIN} to ${EXPONENT_MAX}`;
    throw expected("ERR_AXIS", "exponent", what, exponent);
  }
  const count =
    exponent > 0
      ? checkedEnds(bins, lo, hi, (value) => value >= 0, "a finite number of at least 0")
      : checkedEnds(bins, lo, hi, (value) => value > 0, "a finite number above 0 for a negative exponent");
  const none: Big = { mantissa: 0n, exponent: 0 };
  const first = lo === 0 ? none : powerOf(bigOf(lo), exponent, 1);
  const last = powerOf(bigOf(hi), exponent, 1);
  // An end whose share no bit shows still moves an edge away from the middle of two f64.
  const lean = lo > 0 && areFarApart(first, last) ? (exponent > 0 ? 1 : -1) : 0;
  return between(count, lo, hi, options, (i) => {
    const mixed = sum(product(first, bigOf(count - i)), product(last, bigOf(i)));
    return doubleOf(powerOf(quotient(mixed, bigOf(count)), 1, exponent), lean);
  });
}

/** @throws ERR_AXIS, ERR_LIMIT */
function checkedEnds(
  bins: number,
  lo: number,
  hi: number,
  fits: (value: number) => boolean,
  what: string,
): number {
  const count = checkedBins(bins);
  for (const [name, value] of [
    ["lo", lo],
    ["hi", hi],
  ] as const) {
    if (!Number.isFinite(value) || !fits(value)) throw expected("ERR_AXIS", name, what, value);
  }
  if (lo >= hi) throw expected("ERR_AXIS", "hi", `a number above lo (${lo})`, hi);
  return count;
}

/** @param inner returns inner edges 1, 2, …, bins - 1, one after the other */
function between(
  bins: number,
  lo: number,
  hi: number,
  options: AxisEnd,
  inner: (i: number) => number,
): VariableAxis {
  const edges = new Float64Array(bins + 1);
  edges[0] = lo;
  for (let i = 1; i < bins; i++) edges[i] = inner(i);
  edges[bins] = hi;
  return variable(edges, options);
}
