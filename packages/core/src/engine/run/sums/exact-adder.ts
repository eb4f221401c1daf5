import { FLOW_ROWS } from "../../../base/index.ts";
import { ExactSums, exponentOfLimb, Limbs } from "../../../weights/index.ts";
import {
  type Added,
  type Adder,
  type AddOnDevice,
  addTo,
  orderOf,
  type PieceWeights,
  squaresOf,
} from "./adder.ts";

/** Every double is below 2^1024. */
const F64_ORDER = 1024;

/** Adds up limbs as integers, one exponent at a time. */
export class ExactAdder implements Adder {
  readonly #bins: number;
  readonly #counts: Float64Array;
  readonly #sums: Kind;
  readonly #squares: Kind | null;

  /** @param most the largest |weight| of all pieces; null: it is not known */
  constructor(bins: number, most: number | null, squares: boolean) {
    const rows = bins + FLOW_ROWS;
    this.#bins = bins;
    this.#counts = new Float64Array(rows);
    const kind = (power: (most: number) => number): Kind => {
      return { exact: new ExactSums(rows), order: most === null ? F64_ORDER : orderOf(power(most)) };
    };
    this.#sums = kind((of) => of);
    this.#squares = squares ? kind((of) => of * of) : null;
  }

  async add(piece: PieceWeights, onDevice: AddOnDevice): Promise<void> {
    const { rows, inside, outside } = piece;
    for (let i = 0; i < rows.length; i++) this.#counts[this.#bins + rows[i]!]!++;
    // Extracting limbs consumes the weights, so their squares are computed first.
    const squared = this.#squares && { ...piece, inside: squaresOf(inside), outside: squaresOf(outside) };
    await this.#addLimbs(this.#sums, piece, onDevice, true);
    if (this.#squares !== null) await this.#addLimbs(this.#squares, squared!, onDevice, false);
  }

  merge(other: ExactAdder): void {
    addTo(this.#counts, other.#counts);
    this.#sums.exact.add(other.#sums.exact);
    this.#squares?.exact.add(other.#squares!.exact);
  }

  added(): Added {
    return {
      counts: this.#counts,
      sums: this.#sums.exact.rounded(),
      squares: this.#squares?.exact.rounded() ?? null,
      limbs: this.#sums.exact.limbs,
      limbsOfSquares: this.#squares?.exact.limbs ?? null,
    };
  }

  async #addLimbs(
    { exact, order }: Kind,
    of: PieceWeights,
    onDevice: AddOnDevice,
    counts: boolean,
  ): Promise<void> {
    const [inside, outside] = [new Limbs(of.inside), new Limbs(of.outside)];
    const memory = new Int32Array(Math.max(of.inside.length, of.outside.length));
    // Weights of 0 have no limbs but are counted too.
    let uncounted = counts && of.inside.length > 0;
    for (;;) {
      const most = Math.max(inside.most, outside.most);
      if (most === 0 && !uncounted) return;
      const exponent = exponentOfLimb(most, order);
      const sums = exact.of(exponent);
      if (uncounted || inside.has(exponent)) {
        const weights = memory.subarray(0, of.inside.length);
        inside.take(exponent, weights);
        const totals = { documents: weights.length, sum: inside.total, square: 0 };
        const found = await onDevice({ weights, squares: null, counts: uncounted, ...totals });
        addTo(sums, found.sums);
        if (uncounted) addTo(this.#counts, found.counts!);
        uncounted = false;
      }
      if (outside.has(exponent)) {
        outside.take(exponent, memory);
        for (let i = 0; i < of.rows.length; i++) sums[this.#bins + of.rows[i]!]! += memory[i]!;
      }
    }
  }
}

/** Exact sums of numbers below 2^order. */
interface Kind {
  readonly exact: ExactSums;
  readonly order: number;
}
