import { neighbour } from "./floats.ts";

/** All integers in this file are multiples of 2^-1074, the lowest bit of any double. */
const UNITS = 1074;

/** Converts a number to a whole number of 2^-1074, from its bits. */
export function unitsOf(value: number | bigint): bigint {
  if (typeof value === "bigint") return value << BigInt(UNITS);
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
  const exponent = (bits >> 52n) & 2047n;
  const fraction = bits & ((1n << 52n) - 1n);
  // A denormal has no hidden bit and has the exponent of the smallest normal number.
  const size = exponent === 0n ? fraction : (fraction + (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

/** Returns the finite double nearest to a whole number of 2^-1074, ties to even. Never -0. */
function nearestDouble(units: bigint): number {
  if (units === 0n) return 0;
  const sign = units < 0n ? -1 : 1;
  const size = units < 0n ? -units : units;
  const shift = Math.max(0, size.toString(2).length - 60);
  const about = Number(size >> BigInt(shift)) * 2 ** (shift - UNITS);
  // Whatever the rounding so far, the result is this double or one of its neighbours.
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

/** Returns true if the last bit of a double is 0. */
function isEven(value: number): boolean {
  return (new BigUint64Array(Float64Array.of(value).buffer)[0]! & 1n) === 0n;
}

/** Limits up to which doubles add up values in any order and without rounding. */
const EXACT = { parts: 2 ** 20, total: 2 ** 33 } as const;

/** Returns the exact sum of each cell, rounded once, as Python's math.fsum does. */
export function exactSums(cells: ArrayLike<number>, size: number, weights: ArrayLike<number>): Float64Array {
  const plain = new Float64Array(size);
  let total = 0;
  for (let i = 0; i < cells.length; i++) {
    const weight = weights[i]!;
    plain[cells[i]!]! += weight;
    total += Number.isInteger(weight * EXACT.parts) ? Math.abs(weight) : Infinity;
  }
  if (total < EXACT.total) return plain;
  const out = new Array<bigint>(size).fill(0n);
  for (let i = 0; i < cells.length; i++) out[cells[i]!]! += unitsOf(weights[i]!);
  return Float64Array.from(out, nearestDouble);
}
