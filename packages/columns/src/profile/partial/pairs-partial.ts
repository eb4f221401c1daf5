import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { SUM_BYTES, type Sums } from "../exact/sums.ts";
import type { PairsPlan } from "./plan.ts";

/** Codes of a column in addition to its bins: below them, above them, and no finite value. */
const EXTRA_CODES = 3;

/** Codes of a column: 0 below the bins, the bins from 1 on, above the bins, and rows without a finite value last. */
export const codesOf = ({ axis }: PairsPlan["columns"][number]): number => axis.bins + EXTRA_CODES;

/** Two columns over the rows in which both have finite values. */
export interface PairSums {
  readonly x: Sums;
  readonly y: Sums;
  /** The sum of the products, in the unit of sums of squares. */
  products: bigint;
  /** Row-major: rows by the codes of both columns. */
  readonly counts: Float64Array;
}

/** The counts of all pairs of columns. Merging in any order gives the same bits. */
export class PairsPartial {
  readonly plan: PairsPlan;
  /** The pairs (0, 1), (0, 2) … (1, 2) … */
  readonly pairs: readonly PairSums[];
  /** Rows in which both columns of `nullable` are null, row-major. */
  readonly bothNull: Float64Array;

  constructor(plan: PairsPlan) {
    this.plan = plan;
    const { columns, nullable } = plan;
    this.pairs = columns.flatMap((one, i) =>
      columns.slice(i + 1).map(
        (other): PairSums => ({
          x: { sum: 0n, squares: 0n },
          y: { sum: 0n, squares: 0n },
          products: 0n,
          counts: new Float64Array(codesOf(one) * codesOf(other)),
        }),
      ),
    );
    this.bothNull = new Float64Array(nullable.length ** 2);
  }

  merge(other: PairsPartial): void {
    if (other.pairs.length !== this.pairs.length || other.bothNull.length !== this.bothNull.length) {
      throw broken("pairs of another plan");
    }
    for (const [i, pair] of this.pairs.entries()) {
      const { x, y, products, counts } = other.pairs[i]!;
      if (counts.length !== pair.counts.length) throw broken("pairs of another plan");
      for (const [to, from] of [
        [pair.x, x],
        [pair.y, y],
      ] as const) {
        to.sum += from.sum;
        to.squares += from.squares;
      }
      pair.products += products;
      for (const [code, count] of counts.entries()) pair.counts[code]! += count;
    }
    for (const [i, count] of other.bothNull.entries()) this.bothNull[i]! += count;
  }

  write(to: ByteWriter): void {
    for (const { x, y, products, counts } of this.pairs) {
      for (const sum of [x.sum, x.squares, y.sum, y.squares, products]) to.integer(sum);
      for (const count of counts) to.whole(count);
    }
    for (const count of this.bothNull) to.whole(count);
  }

  static read(from: ByteReader, plan: PairsPlan): PairsPartial {
    const partial = new PairsPartial(plan);
    for (const pair of partial.pairs) {
      for (const sums of [pair.x, pair.y]) {
        sums.sum = from.integer(SUM_BYTES);
        sums.squares = from.integer(SUM_BYTES);
      }
      pair.products = from.integer(SUM_BYTES);
      for (let code = 0; code < pair.counts.length; code++) pair.counts[code] = from.whole();
    }
    for (let i = 0; i < partial.bothNull.length; i++) partial.bothNull[i] = from.whole();
    return partial;
  }
}
