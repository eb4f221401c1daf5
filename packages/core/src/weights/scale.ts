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
 * Weights in the form that kernels add up without further scaling or rounding. weight = value * 2^-exponent, nearly.
 *
 *   Int32Array     reproducible: the sum of any WEIGHT_ADDENDS of them fits 32 bits
 *   Float32Array   fast: each is below 1, so that no sum overflows
 */
export interface ScaledWeights {
  readonly values: Int32Array | Float32Array;
  readonly exponent: number;
  /** The sum of the values. It is exact for integers, whose scale keeps it below 2^53. */
  readonly total: number;
  /** A second limb of integers, `bits` below the first: weight = (value + low / 2^bits) * 2^-exponent, nearly. */
  readonly low: { readonly values: Int32Array; readonly bits: number; readonly total: number } | null;
  /**
   * Sums, in doubles, of |weight| and of the distance by which rounding to integers moved each weight; 0 for floats.
   */
  readonly size: number;
  readonly lost: number;
}

/** The properties that decide the scale: those of all weights of a table, even if only a part is added up. */
export interface ScaleOptions {
  /** The largest |weight|. Default: that of the given weights. */
  readonly most?: number;
  /** Documents of the table. Default: the number of given weights. */
  readonly documents?: number;
  /** Bits of a second limb; null: there is none. */
  readonly lowBits?: number | null;
  /** Memory for the values and for those of the second limb, four bytes per weight each. */
  readonly memory?: readonly ArrayBuffer[];
}

/**
 * Returns the exponent of the scale of integer weights: the largest power of two at which the largest |weight| is at
 * most `largestInteger`. It depends on nothing else, so parts of the documents have the same scale as all of them.
 */
export function exponentOf(most: number, documents: number): number {
  if (most === 0) return 0;
  const bound = largestInteger(documents);
  // The logarithm may be off by a rounding, so start above and compare integers.
  let exponent = Math.floor(Math.log2(bound)) - Math.floor(Math.log2(most)) + 2;
  while (roundHalfEven(most * powerOfTwo(exponent)) > bound) exponent--;
  return exponent;
}

/**
 * Returns the bits of a second limb: LIMB_BITS, or fewer if sums could otherwise reach 2^53 quanta. Below that, a
 * double holds a sum, and the difference of two sums, exactly.
 * @param size the sum of all |weight| in doubles
 */
export function bitsBelow(exponent: number, size: number, documents: number): number {
  // Rounding moves each weight by at most half a quantum.
  const fits = (bits: number) =>
    size * (1 + SUM_SLACK) * powerOfTwo(exponent + bits) + documents / 2 <= MAX_SAMPLES;
  let bits = LIMB_BITS;
  while (bits > 0 && !fits(bits)) bits--;
  return bits;
}

/**
 * Scales weights, or their squares if `power` is 2, by the scale of the whole table. A double holds the product of
 * the scale and a 32-bit float, or its square, exactly. The only rounding is to an integer.
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
    const of = roundedTo(values, weights, factorsOf(power, scale));
    return { values, exponent, total: of.total, low: null, size: of.size / scale, lost: of.lost / scale };
  }
  const low = new Int32Array(lowRoom, 0, weights.length);
  const scale = powerOfTwo(exponent + lowBits);
  const { total, lowTotal, size, lost } = roundedInTwo(
    values,
    low,
    weights,
    factorsOf(power, scale),
    lowBits,
  );
  const below = { values: low, bits: lowBits, total: lowTotal };
  return { values, exponent, total, low: below, size: size / scale, lost: lost / scale };
}

/** Sums that a loop computes in the same pass, in quanta. */
interface Rounded {
  readonly total: number;
  readonly size: number;
  readonly lost: number;
}

/** weight * (constant + slope * weight) is exactly the scaled weight or its square, without a branch per weight. */
interface Factors {
  readonly constant: number;
  readonly slope: number;
}

function factorsOf(power: 1 | 2, scale: number): Factors {
  return power === 1 ? { constant: scale, slope: 0 } : { constant: 0, slope: scale };
}

// These hot loops declare their variables one by one. Variables from a destructured array stay boxed, which is
// several times slower.

/** Rounds weights, or their squares, to integers. */
function roundedTo(values: Int32Array, weights: Float32Array, { constant, slope }: Factors): Rounded {
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

/** Rounds weights to integers of up to 51 bits, in two limbs of the same sign. The lower limb has `bits` bits. */
function roundedInTwo(
  values: Int32Array,
  low: Int32Array,
  weights: Float32Array,
  { constant, slope }: Factors,
  bits: number,
): Rounded & { readonly lowTotal: number } {
  const unit = powerOfTwo(bits);
  const inverse = powerOfTwo(-bits);
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

/** Returns the power of two that all integer sums are multiples of. */
export function quantumOf({ exponent, low }: ScaledWeights): number {
  return powerOfTwo(-exponent - (low?.bits ?? 0));
}

/**
 * Converts sums of scaled weights to the original scale. Never -0. The conversion is exact, because a power of two
 * changes no digit of a double, and sums of two limbs are below 2^53 quanta.
 * @param low sums of the second limb, if there is one
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
