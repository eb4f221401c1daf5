import { F64_LOWEST_BIT, LIMB_BITS } from "./limits.ts";
import { binaryOrder, powerOfTwo } from "./weights.ts";

/**
 * Cuts the weights of plain samples into limbs, so that they can be added up exactly. A limb is a whole number of 20
 * bits with the weight's sign:
 *
 *   weight = sum over k of limb[k] * 2^exponent[k],    exponent[k] = order - 20 * (k + 1),    every |weight| < 2^order
 *
 * The limbs reach down to the weight's lowest bit. All weights of a call share the exponents. Limbs of one exponent
 * can therefore be added up as integers, by any device and in any order. A double holds 53 bits anywhere between
 * 2^-1074 and 2^1024, so there are at most 105 exponents. Only exponents at which some limb is not 0 are used.
 */
export class Limbs {
  /** The remainder of each weight. */
  readonly #rests: Float64Array;
  #most: number;
  #total = 0;

  /** @param weights the array is consumed */
  constructor(weights: Float64Array) {
    this.#rests = weights;
    let most = 0;
    for (let i = 0; i < weights.length; i++) most = Math.max(most, Math.abs(weights[i]!));
    this.#most = most;
  }

  /** The largest |remainder|; 0 if nothing remains. */
  get most(): number {
    return this.#most;
  }

  /** The sum of the limbs that were taken last. */
  get total(): number {
    return this.#total;
  }

  /** Returns true if a limb at this exponent is not 0. */
  has(exponent: number): boolean {
    return this.#most >= powerOfTwo(exponent);
  }

  /** Takes the limbs of an exponent, which must be the highest remaining one or a higher one. */
  take(exponent: number, limbs: Int32Array): void {
    const rests = this.#rests;
    const unit = powerOfTwo(exponent);
    // 2^-exponent may exceed the largest double, so it is split. A product that underflows is 0 as an integer too.
    const half = Math.trunc(-exponent / 2);
    const first = powerOfTwo(half);
    const second = powerOfTwo(-exponent - half);
    let most = 0;
    let total = 0;
    for (let i = 0; i < rests.length; i++) {
      const rest = rests[i]!;
      // Truncation keeps the sign and leaves fewer bits, so every step is exact.
      const limb = (rest * first * second) | 0;
      const left = rest - limb * unit;
      limbs[i] = limb;
      rests[i] = left;
      total += limb;
      most = Math.max(most, Math.abs(left));
    }
    this.#most = most;
    this.#total = total;
  }
}

/**
 * Returns the exponent of the limb with the highest bit of `rest`, if all weights are below 2^order. For 0, the
 * highest.
 */
export function exponentOfLimb(rest: number, order: number): number {
  if (rest === 0) return order - LIMB_BITS;
  const above = Math.floor((order - binaryOrder(rest)) / LIMB_BITS);
  return Math.max(F64_LOWEST_BIT, order - LIMB_BITS * (above + 1));
}
