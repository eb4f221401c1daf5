import { FLOW_ROWS } from "../../../base/index.ts";
import { largest, powerOfTwo } from "../../../weights/index.ts";
import {
  type Added,
  type Adder,
  type AddOnDevice,
  addTo,
  orderOf,
  type PieceWeights,
  squaresOf,
} from "./adder.ts";

/** Adds up 32-bit floats, scaled below 1 so that no sum overflows. */
export class FloatAdder implements Adder {
  readonly #bins: number;
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array | null;

  constructor(bins: number, squares: boolean) {
    const rows = bins + FLOW_ROWS;
    this.#bins = bins;
    this.#counts = new Float64Array(rows);
    this.#sums = new Float64Array(rows);
    this.#squares = squares ? new Float64Array(rows) : null;
  }

  async add({ rows, inside, outside }: PieceWeights, onDevice: AddOnDevice): Promise<void> {
    for (let i = 0; i < rows.length; i++) {
      const row = this.#bins + rows[i]!;
      this.#counts[row]!++;
      this.#sums[row]! += outside[i]!;
      if (this.#squares !== null) this.#squares[row]! += outside[i]! * outside[i]!;
    }
    if (inside.length === 0) return;
    const order = orderOf(largest(inside));
    const weights = scaled(inside, -order);
    const found = await onDevice({
      weights: new Float32Array(weights),
      squares: this.#squares && new Float32Array(squaresOf(weights)),
      counts: true,
      // Floats do not use the totals, because nothing is skipped.
      ...{ documents: inside.length, sum: 0, square: 0 },
    });
    addTo(this.#counts, found.counts!);
    addTo(this.#sums, scaled(found.sums, order));
    if (this.#squares !== null) addTo(this.#squares, scaled(found.squares!, 2 * order));
  }

  merge(other: FloatAdder): void {
    addTo(this.#counts, other.#counts);
    addTo(this.#sums, other.#sums);
    if (this.#squares !== null) addTo(this.#squares, other.#squares!);
  }

  added(): Added {
    return {
      counts: this.#counts,
      sums: this.#sums,
      squares: this.#squares,
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
