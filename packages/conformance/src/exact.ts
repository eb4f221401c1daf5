import { neighbour } from "./floats.ts";

/** Everything here is a whole number of 2^-1074, the lowest bit of any double. */
const UNITS = 1074;

/** A double as a whole number of 2^-1074, from its bits. */
export function unitsOf(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
  const exponent = (bits >> 52n) & 2047n;
  const fraction = bits & ((1n << 52n) - 1n);
  // A denormal has no hidden bit, and the exponent of the least normal number.
  const size = exponent === 0n ? fraction : (fraction + (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

/** The finite double nearest to a whole number of 2^-1074, of two the one whose last bit is 0. Never -0. */
export function nearestDouble(units: bigint): number {
  if (units === 0n) return 0;
  const sign = units < 0n ? -1 : 1;
  const size = units < 0n ? -units : units;
  const shift = Math.max(0, size.toString(2).length - 60);
  const about = Number(size >> BigInt(shift)) * 2 ** (shift - UNITS);
  // Whatever the roundings on the way, it is this one or one beside it.
  const near = [neighbour("f64", about, -1), about, neighbour("f64", about, 1)].filter(Number.isFinite);
  const distance = (value: number) => {
    const off = unitsOf(value) - size;
    return off < 0n ? -off : off;
  };
  return sign * near.reduce((best, value) => (isNearer(value, best, distance) ? value : best));
}

function isNearer(value: number, best: number, distance: (value: number) => bigint): boolean {
  const [a, b] = [distance(value), distance(best)];
  return a < b || (a === b && isEven(value));
}

/** Is the last bit of a double 0? */
function isEven(value: number): boolean {
  return (new BigUint64Array(Float64Array.of(value).buffer)[0]! & 1n) === 0n;
}

/** The exact sum of some doubles a bin, in units of 2^-1074. */
export function exactUnits(values: ArrayLike<number>, bins: number, weights: ArrayLike<number>): bigint[] {
  const out = new Array<bigint>(bins).fill(0n);
  for (let i = 0; i < values.length; i++) out[values[i]!]! += unitsOf(weights[i]!);
  return out;
}

/** The exact sum a bin, rounded once: what Python's math.fsum gives. */
export function exactSums(values: ArrayLike<number>, bins: number, weights: ArrayLike<number>): Float64Array {
  return Float64Array.from(exactUnits(values, bins, weights), nearestDouble);
}
