import { F64_LOWEST_BIT, LIMB_BITS } from "./limits.ts";
import { binaryOrder, powerOfTwo } from "./weights.ts";

/**
 * Weights of plain samples are added up exactly: each is cut into limbs, whole numbers of 20 bits and the weight's sign,
 *
 *   weight = sum over k of limb[k] * 2^exponent[k],    exponent[k] = order - 20 * (k + 1),    every |weight| < 2^order
 *
 * down to its lowest bit. All weights of a call share the exponents, so limbs of one exponent can be added up: by any
 * device, as integers, in any order. A double holds 53 bits anywhere between 2^-1074 and 2^1024: there are 105 exponents
 * at the most, and only those are taken where some weight has a limb that is not 0.
 */
export class Limbs {
  /** What is left of each weight. */
  readonly #rests: Float64Array;
  #most: number;
  #total = 0;

  /** @param weights which are used up */
  constructor(weights: Float64Array) {
    this.#rests = weights;
    let most = 0;
    for (let i = 0; i < weights.length; i++) most = Math.max(most, Math.abs(weights[i]!));
    this.#most = most;
  }

  /** The largest |rest|; 0 when all has been taken off. */
  get most(): number {
    return this.#most;
  }

  /** The sum of the limbs that were taken off last. */
  get total(): number {
    return this.#total;
  }

  /** Is there a limb that is not 0 at an exponent? */
  has(exponent: number): boolean {
    return this.#most >= powerOfTwo(exponent);
  }

  /** Takes the limbs of an exponent off; the highest one that there is, or a higher one. */
  take(exponent: number, limbs: Int32Array): void {
    const rests = this.#rests;
    const unit = powerOfTwo(exponent);
    // 2^-exponent may be past the largest double. What is too small for a product is 0 in whole numbers, too.
    const half = Math.trunc(-exponent / 2);
    const first = powerOfTwo(half);
    const second = powerOfTwo(-exponent - half);
    let most = 0;
    let total = 0;
    for (let i = 0; i < rests.length; i++) {
      const rest = rests[i]!;
      // Towards zero, so that what is left has fewer bits and the same sign: every step is exact.
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

/** The exponent of the limb with the highest bit of `rest`, where all weights are below 2^order; of 0 the highest one. */
export function exponentOfLimb(rest: number, order: number): number {
  if (rest === 0) return order - LIMB_BITS;
  const above = Math.floor((order - binaryOrder(rest)) / LIMB_BITS);
  return Math.max(F64_LOWEST_BIT, order - LIMB_BITS * (above + 1));
}
