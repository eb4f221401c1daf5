import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { HASH_CELLS } from "../limits.ts";

/** The bits of the hash that a rank comes from. */
const RANK_BITS = 32;
/** The standard error of an estimate, as a share of it: 1.04 over the root of the number of registers. */
export const HYPERLOGLOG_ERROR: number = 1.04 / Math.sqrt(HASH_CELLS);

/**
 * Estimates the number of different values from the highest rank of their hashes in each cell. Adding and merging in any
 * order gives the same registers.
 *
 * Source: O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", arXiv:1702.01284, algorithm 6. It needs
 * no tables against bias.
 */
export class HyperLogLog {
  readonly #ranks = new Uint8Array(HASH_CELLS);

  /** Adds a value. @param rankHash 32 bits that do not depend on the cell */
  add(cell: number, rankHash: number): void {
    const rank = Math.clz32(rankHash) + 1;
    if (rank > this.#ranks[cell]!) this.#ranks[cell] = rank;
  }

  merge(other: HyperLogLog): void {
    for (const [cell, rank] of other.#ranks.entries())
      if (rank > this.#ranks[cell]!) this.#ranks[cell] = rank;
  }

  /** The estimate, not rounded. */
  estimate(): number {
    const cells = HASH_CELLS;
    const most = RANK_BITS + 1;
    const counts = new Float64Array(most + 1);
    for (const rank of this.#ranks) counts[rank]!++;
    let sum = cells * tau(1 - counts[most]! / cells);
    for (let rank = RANK_BITS; rank > 0; rank--) sum = (sum + counts[rank]!) / 2;
    sum += cells * sigma(counts[0]! / cells);
    return (cells * cells) / (2 * Math.LN2 * sum);
  }

  write(to: ByteWriter): void {
    to.bytes(this.#ranks);
  }

  static read(from: ByteReader): HyperLogLog {
    const read = new HyperLogLog();
    read.#ranks.set(from.bytes(HASH_CELLS));
    if (read.#ranks.some((rank) => rank > RANK_BITS + 1)) throw broken("a rank above the bits of a hash");
    return read;
  }
}

/** x + Σ x^(2^k) 2^(k - 1), for empty cells. */
function sigma(share: number): number {
  if (share === 1) return Infinity;
  let [power, weight, sum, before] = [share, 1, share, Number.NaN];
  while (sum !== before) {
    before = sum;
    power *= power;
    sum += power * weight;
    weight += weight;
  }
  return sum;
}

/** (1 - x - Σ (1 - x^(2^-k))² 2^-k) / 3, for full cells. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [root, weight, sum, before] = [share, 1, 1 - share, Number.NaN];
  while (sum !== before) {
    before = sum;
    root = Math.sqrt(root);
    weight /= 2;
    sum -= (1 - root) ** 2 * weight;
  }
  return sum / 3;
}
