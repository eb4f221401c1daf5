import { counterMax, PolybinError } from "../../base/index.ts";
import type { SumsPlan } from "../../plan/index.ts";
import type { BinSums } from "../../weights/index.ts";
import { S32_MAX } from "../../weights/index.ts";
import { COUNT_SHIFT } from "./limits.ts";

/**
 * Counters and sums of their real widths, one of each per cell, as the simulated kernels keep them. Exceeding a width
 * throws, so that a wrong bound fails a test instead of a user's call.
 */
export class Accumulators {
  readonly #counts: Uint32Array | null;
  readonly #cells: number;
  readonly #most: number;
  readonly #sums: Sums;
  readonly #squares: Sums | null;

  constructor(
    cells: number,
    {
      counterBits,
      sumBits,
      precision,
      counts,
      squares,
    }: Pick<SumsPlan, "counterBits" | "sumBits" | "precision" | "counts" | "squares">,
  ) {
    const sums = (): Sums =>
      precision === "fast"
        ? new FloatSums(cells)
        : sumBits === 32
          ? new WordSums(cells)
          : sumBits === 50
            ? new SplitSums(cells)
            : new PairSums(cells);
    this.#cells = cells;
    this.#counts = counts ? new Uint32Array(cells) : null;
    this.#most = counterMax(counterBits);
    this.#sums = sums();
    this.#squares = squares ? sums() : null;
  }

  /** Adds `count` documents with the given sums of their weights and of the squares. @throws ERR_LIMIT */
  add(cell: number, weight: number, square: number, count = 1): void {
    if (this.#counts !== null) {
      const counted = this.#counts[cell]! + count;
      if (counted > this.#most) {
        throw new PolybinError("ERR_LIMIT", "a counter of documents would overflow: the plan is wrong");
      }
      this.#counts[cell] = counted;
    }
    this.#sums.add(cell, weight);
    this.#squares?.add(cell, square);
  }

  /** Adds every cell to its bin of the totals and clears the cells. */
  flushInto(totals: BinSums, binOf: (cell: number) => number): void {
    for (let cell = 0; cell < this.#cells; cell++) {
      const bin = binOf(cell);
      if (totals.counts !== null) totals.counts[bin] = totals.counts[bin]! + this.#counts![cell]!;
      totals.sums[bin] = totals.sums[bin]! + this.#sums.get(cell);
      if (totals.squares !== null) totals.squares[bin] = totals.squares[bin]! + this.#squares!.get(cell);
    }
    this.#counts?.fill(0);
    this.#sums.clear();
    this.#squares?.clear();
  }
}

interface Sums {
  add(cell: number, amount: number): void;
  get(cell: number): number;
  clear(): void;
}

/** Signed 32-bit sums. */
class WordSums implements Sums {
  readonly #words: Int32Array;

  constructor(cells: number) {
    this.#words = new Int32Array(cells);
  }

  /** @throws ERR_LIMIT if the sum would overflow. */
  add(cell: number, amount: number): void {
    const sum = this.#words[cell]! + amount;
    if (sum > S32_MAX || sum < -S32_MAX) {
      throw new PolybinError("ERR_LIMIT", "a 32-bit sum would overflow: the plan is wrong");
    }
    this.#words[cell] = sum;
  }

  get(cell: number): number {
    return this.#words[cell]!;
  }

  clear(): void {
    this.#words.fill(0);
  }
}

/**
 * 64-bit sums in two words, as 32-bit atomics keep them. The previous value of the lower word shows whether the
 * addition wrapped. Then the upper word gets the carry, or the borrow of a negative amount.
 */
class PairSums implements Sums {
  readonly #lower: Uint32Array;
  readonly #upper: Int32Array;

  constructor(cells: number) {
    this.#lower = new Uint32Array(cells);
    this.#upper = new Int32Array(cells);
  }

  add(cell: number, amount: number): void {
    const before = this.#lower[cell]!;
    this.#lower[cell] = before + amount;
    const wrapped = amount < 0 ? before < -amount : before + amount >= WORD_VALUES;
    if (wrapped) this.#upper[cell] = this.#upper[cell]! + Math.sign(amount);
  }

  get(cell: number): number {
    return this.#upper[cell]! * WORD_VALUES + this.#lower[cell]!;
  }

  clear(): void {
    this.#lower.fill(0);
    this.#upper.fill(0);
  }
}

/**
 * 50-bit sums in two words that are updated independently. The lower word holds the sum modulo 2^32. The upper word
 * shares its 32 bits with a counter and adds each amount without its lower 18 bits. The sum of these lower bits stays
 * below 2^32 as long as the counter does not overflow, so the lower word determines it.
 */
class SplitSums implements Sums {
  readonly #lower: Uint32Array;
  readonly #upper: Int32Array;

  constructor(cells: number) {
    this.#lower = new Uint32Array(cells);
    this.#upper = new Int32Array(cells);
  }

  /** @throws ERR_LIMIT if the upper part would overflow. */
  add(cell: number, amount: number): void {
    const upper = this.#upper[cell]! + (amount >> COUNT_SHIFT);
    const most = 2 ** (COUNT_SHIFT - 1) - 1;
    if (upper > most || upper < -most) {
      throw new PolybinError("ERR_LIMIT", "a 50-bit sum would overflow: the plan is wrong");
    }
    this.#upper[cell] = upper;
    this.#lower[cell] = this.#lower[cell]! + amount;
  }

  get(cell: number): number {
    const upper = this.#upper[cell]! * 2 ** COUNT_SHIFT;
    return upper + ((this.#lower[cell]! - upper) >>> 0);
  }

  clear(): void {
    this.#lower.fill(0);
    this.#upper.fill(0);
  }
}

/** Number of values of a 32-bit word. */
const WORD_VALUES: number = counterMax(32) + 1;

/** Sums in 32-bit floats. */
class FloatSums implements Sums {
  readonly #floats: Float32Array;

  constructor(cells: number) {
    this.#floats = new Float32Array(cells);
  }

  add(cell: number, amount: number): void {
    this.#floats[cell] = this.#floats[cell]! + amount;
  }

  get(cell: number): number {
    return this.#floats[cell]!;
  }

  clear(): void {
    this.#floats.fill(0);
  }
}
