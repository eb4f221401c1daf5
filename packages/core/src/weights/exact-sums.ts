import { MAX_SAMPLES } from "../base/index.ts";
import { powerOfTwo } from "./weights.ts";

/**
 * Exact sums, one per row, as whole numbers of powers of two. Each whole number is below 2^53, so a double holds it.
 */
export class ExactSums {
  readonly #rows: number;
  readonly #limbs = new Map<number, Float64Array>();

  constructor(rows: number) {
    this.#rows = rows;
  }

  /** Number of powers of two in use. */
  get limbs(): number {
    return this.#limbs.size;
  }

  /** Returns the whole numbers of 2^exponent, for the caller to add to. */
  of(exponent: number): Float64Array {
    const found = this.#limbs.get(exponent) ?? new Float64Array(this.#rows);
    this.#limbs.set(exponent, found);
    return found;
  }

  /** Adds other sums, whose exponents belong to the same order. */
  add(other: ExactSums): void {
    for (const [exponent, from] of other.#limbs) {
      const to = this.of(exponent);
      for (let row = 0; row < to.length; row++) to[row]! += from[row]!;
    }
  }

  /**
   * Rounds each sum once to the nearest double, ties to even. Sums above the largest double become infinite. Never
   * -0.
   */
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
  /** The limb's exponent minus the lowest one. */
  readonly above: number;
  readonly of: Float64Array;
}

/** Adds a row in units of the lowest limb if doubles need at most one rounding, the last. Otherwise NaN or infinite. */
function roundedOnce(limbs: readonly Limb[], units: readonly number[], row: number): number {
  let sum = 0;
  for (let i = 0; i < limbs.length; i++) {
    const limb = limbs[i]!.of[row]!;
    if (limb === 0) continue;
    // Whole numbers up to 2^53 are exact. A larger sum is correct only if its addition was the last one.
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

/**
 * A double's 53 bits plus a rounding bit and a sticky bit fit this number of bits. DIGIT_BITS is the size of a hex
 * digit.
 */
const ENOUGH_BITS = 64;
const DIGIT_BITS = 4;

/**
 * Returns the double nearest to whole * 2^exponent, rounded once to 53 bits by Number. The product is exact, because
 * no exponent is below the lowest bit of a double.
 */
function nearest(whole: bigint, exponent: number): number {
  if (whole === 0n) return 0;
  if (BigInt.asIntN(ENOUGH_BITS, whole) === whole) return Number(whole) * powerOfTwo(exponent);
  // Number would overflow at 2^1024, so only the upper bits are converted.
  const size = whole < 0n ? -whole : whole;
  const more = size.toString(2 ** DIGIT_BITS).length * DIGIT_BITS - ENOUGH_BITS;
  const upper = size >> BigInt(more);
  const rest = upper << BigInt(more) === size ? 0n : 1n;
  const rounded = Number(upper | rest) * powerOfTwo(exponent + more);
  return whole < 0n ? -rounded : rounded;
}
