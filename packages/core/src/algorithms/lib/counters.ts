import { counterMax, PolybinError, U8_MAX, WORD_BYTES } from "../../base/index.ts";

/**
 * Counters of 8, 16 or 32 bits packed into 32-bit words, as the simulated kernels keep them in shared memory.
 * Exceeding a counter's width throws instead of carrying into its neighbour.
 *
 *   8 bits:  word w = [ 4w+3 | 4w+2 | 4w+1 | 4w ]       16 bits:  word w = [ 2w+1 | 2w ]
 */
export class PackedCounters {
  readonly words: Uint32Array;
  readonly #bits: 8 | 16 | 32;
  readonly #max: number;

  constructor(bits: 8 | 16 | 32, words: number) {
    this.words = new Uint32Array(words);
    this.#bits = bits;
    this.#max = counterMax(bits);
  }

  /** Returns counter `slot` of a word. */
  get(word: number, slot: number): number {
    return (this.words[word]! >>> (slot * this.#bits)) & (this.#bits === 32 ? -1 : this.#max);
  }

  /** @throws ERR_LIMIT if the counter cannot hold one more. */
  increment(word: number, slot: number): void {
    if (this.get(word, slot) >>> 0 === this.#max) {
      throw new PolybinError("ERR_LIMIT", `a ${this.#bits}-bit counter would overflow: the plan is wrong`);
    }
    this.words[word] = this.words[word]! + (1 << (slot * this.#bits));
  }

  /** Subtracts an amount from a counter that has reached it. @returns whether it has */
  subtract(word: number, slot: number, amount: number): boolean {
    if (this.get(word, slot) < amount) return false;
    this.words[word] = this.words[word]! - amount * 2 ** (slot * this.#bits);
    return true;
  }
}

/** Splits a word of four bytes into its two alternating pairs, each a pair of 16-bit sums: [2|0] and [3|1]. */
export function bytePairs(word: number): readonly [even: number, odd: number] {
  const mask = 0x00ff_00ff;
  return [word & mask, (word >>> 8) & mask];
}

/**
 * Sums a word's four counters through the sums of its pairs, in counter order.
 * @throws ERR_LIMIT if a 16-bit sum would carry into its neighbour.
 */
export class PairSums {
  readonly sums: Float64Array = new Float64Array(WORD_BYTES);
  readonly #most = counterMax(16);

  add(word: number): void {
    const [even, odd] = bytePairs(word);
    this.#addTo(0, even & 0xffff);
    this.#addTo(1, odd & 0xffff);
    this.#addTo(2, even >>> 16);
    this.#addTo(3, odd >>> 16);
  }

  #addTo(slot: number, amount: number): void {
    const sum = this.sums[slot]! + amount;
    if (sum > this.#most) {
      throw new PolybinError("ERR_LIMIT", "a 16-bit row sum would overflow: the plan is wrong");
    }
    this.sums[slot] = sum;
  }
}

/** Sums a word's four counters one by one, each into a sum of 32 bits, in counter order. */
export class SingletonSums {
  readonly sums: Float64Array = new Float64Array(WORD_BYTES);

  add(word: number): void {
    for (let slot = 0; slot < WORD_BYTES; slot++) this.sums[slot]! += (word >>> (slot * 8)) & U8_MAX;
  }
}
