import { MAX_SAMPLES } from "../base/index.ts";
import { LIMB_BITS, SUM_SLACK } from "./limits.ts";
import {
  binaryOrder,
  largest,
  largestInteger,
  type Precision,
  powerOfTwo,
  roundHalfEven,
} from "./weights.ts";

/**
 * Weights as a kernel adds them up; no kernel scales or rounds anything. weight = value * 2^-exponent, nearly.
 *
 *   Int32Array     reproducible: any WEIGHT_ADDENDS of them have a sum that 32 bits hold
 *   Float32Array   fast: below 1 each, so that no sum of theirs overflows
 */
export interface ScaledWeights {
  readonly values: Int32Array | Float32Array;
  readonly exponent: number;
  /** Their sum: exact of integers, whose scale keeps it below 2^53. */
  readonly total: number;
  /** A second limb of integers, of so many bits below the first: weight = (value + low / 2^bits) * 2^-exponent, nearly. */
  readonly low: { readonly values: Int32Array; readonly bits: number; readonly total: number } | null;
  /** Sums of |weight| and of what rounding to integers has moved each by, as doubles add them up; 0 of floats. */
  readonly size: number;
  readonly lost: number;
}

/** What a scale hangs on: all weights of a table, whatever part of them is added up. */
export interface ScaleOptions {
  /** The largest |weight|. Default: that of the weights given. */
  readonly most?: number;
  /** Documents of the table. Default: as many as weights are given. */
  readonly documents?: number;
  /** Bits of a second limb; null: there is none. */
  readonly lowBits?: number | null;
  /** Where the values go, and those of the second limb: four bytes a weight each. */
  readonly memory?: readonly ArrayBuffer[];
}

/**
 * The scale of integer weights: the largest power of two with which the largest |weight| does not pass
 * `largestInteger`. It depends on nothing else, so a part of the documents has the scale of them all.
 */
export function exponentOf(most: number, documents: number): number {
  if (most === 0) return 0;
  const bound = largestInteger(documents);
  // A logarithm may be off by a rounding: begin above, and let the integers decide.
  let exponent = Math.floor(Math.log2(bound)) - Math.floor(Math.log2(most)) + 2;
  while (roundHalfEven(most * powerOfTwo(exponent)) > bound) exponent--;
  return exponent;
}

/**
 * Bits of a second limb: LIMB_BITS, or as many as leave every sum below 2^53 quanta, so that a double holds it, and the
 * difference of two, exactly.
 * @param size the sum of all |weight|, as doubles add it up
 */
export function bitsBelow(exponent: number, size: number, documents: number): number {
  // Each weight is rounded up by half a quantum at the most.
  const fits = (bits: number) =>
    size * (1 + SUM_SLACK) * powerOfTwo(exponent + bits) + documents / 2 <= MAX_SAMPLES;
  let bits = LIMB_BITS;
  while (bits > 0 && !fits(bits)) bits--;
  return bits;
}

/**
 * Weights, or with `power` 2 their squares, on the scale of the whole table.
 * Multiplying a 32-bit float, or its square, by the scale is exact in a double; the one rounding is to an integer.
 */
export function scaledWeights(
  weights: Float32Array,
  precision: Precision,
  power: 1 | 2,
  { most = largest(weights), documents = weights.length, lowBits = null, memory = [] }: ScaleOptions = {},
): ScaledWeights {
  const top = power === 1 ? most : most * most;
  const [room = new ArrayBuffer(weights.byteLength), lowRoom = new ArrayBuffer(weights.byteLength)] = memory;
  if (precision === "fast") return floats(weights, power, top === 0 ? 0 : -binaryOrder(top), room);
  const exponent = exponentOf(top, documents);
  const values = new Int32Array(room, 0, weights.length);
  if (lowBits === null) {
    const scale = powerOfTwo(exponent);
    const of = roundedTo(values, weights, power, scale);
    return { values, exponent, total: of.total, low: null, size: of.size / scale, lost: of.lost / scale };
  }
  const low = new Int32Array(lowRoom, 0, weights.length);
  const scale = powerOfTwo(exponent + lowBits);
  const { total, lowTotal, size, lost } = roundedInTwo(values, low, weights, power, scale, lowBits);
  const below = { values: low, bits: lowBits, total: lowTotal };
  return { values, exponent, total, low: below, size: size / scale, lost: lost / scale };
}

/** What a loop adds up on the way, in quanta. */
interface Rounded {
  readonly total: number;
  readonly size: number;
  readonly lost: number;
}

// Loops over so many weights begin their numbers one by one: what an array is taken apart into stays boxed, at several
// times the cost.

/** Weights, or their squares, to integers. */
function roundedTo(values: Int32Array, weights: Float32Array, power: 1 | 2, scale: number): Rounded {
  // weight * (constant + slope * weight) is the weight or its square on the scale, exactly: asking at every weight is slow.
  const constant = power === 1 ? scale : 0;
  const slope = power === 1 ? 0 : scale;
  let total = 0;
  let size = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i]!;
    const x = weight * (constant + slope * weight);
    const value = roundHalfEven(x);
    values[i] = value;
    total += value;
    size += Math.abs(x);
    lost += Math.abs(x - value);
  }
  return { total, size, lost };
}

/** To integers of up to 51 bits in two limbs of the same sign, the lower one of `bits`. */
function roundedInTwo(
  values: Int32Array,
  low: Int32Array,
  weights: Float32Array,
  power: 1 | 2,
  scale: number,
  bits: number,
): Rounded & { readonly lowTotal: number } {
  const unit = powerOfTwo(bits);
  const inverse = powerOfTwo(-bits);
  const constant = power === 1 ? scale : 0;
  const slope = power === 1 ? 0 : scale;
  let total = 0;
  let lowTotal = 0;
  let size = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i]!;
    const x = weight * (constant + slope * weight);
    const value = roundHalfEven(x);
    const upper = (value * inverse) | 0;
    const lower = value - upper * unit;
    values[i] = upper;
    low[i] = lower;
    total += upper;
    lowTotal += lower;
    size += Math.abs(x);
    lost += Math.abs(x - value);
  }
  return { total, lowTotal, size, lost };
}

function floats(weights: Float32Array, power: 1 | 2, exponent: number, memory: ArrayBuffer): ScaledWeights {
  const scale = powerOfTwo(exponent);
  const values = new Float32Array(memory, 0, weights.length);
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i]!;
    values[i] = (power === 1 ? weight : weight * weight) * scale;
    total += values[i]!;
  }
  return { values, exponent, total, low: null, size: 0, lost: 0 };
}

/** What sums of integers are whole multiples of: a power of two. */
export function quantumOf({ exponent, low }: ScaledWeights): number {
  return powerOfTwo(-exponent - (low?.bits ?? 0));
}

/**
 * Sums of scaled weights as they are. Never -0. Exact: a power of two changes no digit of a double, and sums of two limbs
 * are below 2^53 quanta.
 * @param low sums of the second limb, where there is one
 */
export function unscaled(sums: Float64Array, low: Float64Array | null, of: ScaledWeights): Float64Array {
  const quantum = quantumOf(of);
  const out = new Float64Array(sums.length);
  if (low === null) {
    for (let bin = 0; bin < out.length; bin++) out[bin] = sums[bin]! * quantum + 0;
    return out;
  }
  const unit = powerOfTwo(of.low!.bits);
  for (let bin = 0; bin < out.length; bin++) out[bin] = (sums[bin]! * unit + low[bin]!) * quantum + 0;
  return out;
}
