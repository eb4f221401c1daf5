import { MAX_SAMPLES } from "../base/index.ts";
import { powerOfTwo } from "./weights.ts";

/** Exact sums, one a row, as whole numbers of each power of two: below 2^53 each, so a double holds them. */
export class ExactSums {
  readonly #rows: number;
  readonly #limbs = new Map<number, Float64Array>();

  constructor(rows: number) {
    this.#rows = rows;
  }

  /** How many powers of two there are. */
  get limbs(): number {
    return this.#limbs.size;
  }

  /** The whole numbers of 2^exponent, to be added to. */
  of(exponent: number): Float64Array {
    const found = this.#limbs.get(exponent) ?? new Float64Array(this.#rows);
    this.#limbs.set(exponent, found);
    return found;
  }

  /** Each sum, rounded once to the nearest double, of two to the even one; past the largest one it is infinite. Never -0. */
  rounded(): Float64Array {
    const out = new Float64Array(this.#rows);
    const exponents = [...this.#limbs.keys()].sort((a, b) => a - b);
    const lowest = exponents[0];
    if (lowest === undefined) return out;
    const limbs = exponents.map((exponent) => ({ above: exponent - lowest, of: this.of(exponent) }));
    const units = limbs.map(({ above }) => powerOfTwo(above));
    const unit = powerOfTwo(lowest);
    for (let row = 0; row < out.length; row++) {
      const sum = roundedOnce(limbs, units, row);
      out[row] = Number.isFinite(sum) ? sum * unit + 0 : nearest(wholeOf(limbs, row), lowest);
    }
    return out;
  }
}

interface Limb {
  /** Its exponent less the lowest one. */
  readonly above: number;
  readonly of: Float64Array;
}

/** A sum in units of the lowest limb, where doubles add it up with one rounding at most, the last; else NaN or infinite. */
function roundedOnce(limbs: readonly Limb[], units: readonly number[], row: number): number {
  let sum = 0;
  for (let i = 0; i < limbs.length; i++) {
    const limb = limbs[i]!.of[row]!;
    if (limb === 0) continue;
    // Whole numbers up to 2^53 are exact. Past them it must have been the last addition.
    if (Math.abs(sum) > MAX_SAMPLES) return Number.NaN;
    sum += limb * units[i]!;
  }
  return sum;
}

function wholeOf(limbs: readonly Limb[], row: number): bigint {
  let sum = 0n;
  for (const { above, of } of limbs) sum += BigInt(of[row]!) << BigInt(above);
  return sum;
}

/** Bits that hold a double's 53, the next one, and one that stands for all after it; and so many in a digit of a text. */
const ENOUGH_BITS = 64;
const DIGIT_BITS = 4;

/**
 * The double nearest to whole * 2^exponent, rounded once: by Number, to 53 bits. The product is exact, since no exponent
 * is below a double's lowest bit: what has fewer bits there than 53 has no others.
 */
function nearest(whole: bigint, exponent: number): number {
  if (whole === 0n) return 0;
  if (BigInt.asIntN(ENOUGH_BITS, whole) === whole) return Number(whole) * powerOfTwo(exponent);
  // Number's own exponent would end at 2^1024.
  const size = whole < 0n ? -whole : whole;
  const more = size.toString(2 ** DIGIT_BITS).length * DIGIT_BITS - ENOUGH_BITS;
  const upper = size >> BigInt(more);
  const rest = upper << BigInt(more) === size ? 0n : 1n;
  const rounded = Number(upper | rest) * powerOfTwo(exponent + more);
  return whole < 0n ? -rounded : rounded;
}
