import { FLOW_ROWS } from "../../base/index.ts";
import { powerOfTwo } from "../../weights/index.ts";
import { type Added, type Adder, type AddOnDevice, addTo, orderOf, squaresOf } from "./adder.ts";
import type { PieceWeights } from "./pieces.ts";

/** Adds up 32-bit floats, scaled below 1 so that no sum overflows. */
export class FloatAdder implements Adder {
  readonly #bins: number;
  readonly #order: number;
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array | null;

  /** @param most the largest |weight| of all pieces */
  constructor(bins: number, most: number, squares: boolean) {
    const rows = bins + FLOW_ROWS;
    this.#bins = bins;
    this.#order = orderOf(most);
    this.#counts = new Float64Array(rows);
    this.#sums = new Float64Array(rows);
    this.#squares = squares ? new Float64Array(rows) : null;
  }

  async add({ rows, inside, outside }: PieceWeights, onDevice: AddOnDevice): Promise<void> {
    const others = scaled(outside, -this.#order);
    for (let i = 0; i < rows.length; i++) {
      const row = this.#bins + rows[i]!;
      this.#counts[row]!++;
      this.#sums[row]! += others[i]!;
      if (this.#squares !== null) this.#squares[row]! += others[i]! * others[i]!;
    }
    if (inside.length === 0) return;
    const weights = scaled(inside, -this.#order);
    const found = await onDevice({
      weights: new Float32Array(weights),
      squares: this.#squares && new Float32Array(squaresOf(weights)),
      counts: true,
      // Floats do not use the totals, because nothing is skipped.
      ...{ documents: inside.length, sum: 0, square: 0 },
    });
    addTo(this.#counts, found.counts!);
    addTo(this.#sums, found.sums);
    if (this.#squares !== null) addTo(this.#squares, found.squares!);
  }

  added(): Added {
    return {
      counts: this.#counts,
      sums: scaled(this.#sums, this.#order),
      squares: this.#squares && scaled(this.#squares, 2 * this.#order),
      limbs: null,
      limbsOfSquares: null,
    };
  }
}

/**
 * Multiplies every number by 2^n in two steps, since 2^n may not be a double where number and product are. Never -0.
 */
function scaled(of: Float64Array, n: number): Float64Array {
  const half = Math.trunc(n / 2);
  const first = powerOfTwo(half);
  const second = powerOfTwo(n - half);
  const out = new Float64Array(of.length);
  for (let i = 0; i < out.length; i++) out[i] = of[i]! * first * second + 0;
  return out;
}
