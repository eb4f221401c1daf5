import { hashOfWords } from "./hash.ts";

/** Exact counts of values. A value's key is a string, or the two 32-bit words of a number. */
export interface Counts<Key> {
  readonly size: number;
  /** UTF-16 code units of all keys. 0 for numbers. */
  readonly units: number;
  add(key: Key, count: number): void;
  entries(): Iterable<[Key, number]>;
}

/** Counts of strings. */
export class TextCounts implements Counts<string> {
  readonly #counts = new Map<string, number>();
  #units = 0;

  get size(): number {
    return this.#counts.size;
  }

  get units(): number {
    return this.#units;
  }

  add(key: string, count: number): void {
    const before = this.#counts.get(key);
    if (before === undefined) this.#units += key.length;
    this.#counts.set(key, (before ?? 0) + count);
  }

  entries(): Iterable<[string, number]> {
    return this.#counts.entries();
  }
}

const SMALLEST = 1024;

/** A number as its two words: the bits of a double, or of a 64-bit integer. */
export type Words = readonly [lower: number, upper: number];

/** Counts of 64-bit values, in a table with open addressing that is at most half full. */
export class WordCounts implements Counts<Words> {
  readonly units = 0;
  #keys = new Int32Array(2 * SMALLEST);
  #counts = new Float64Array(SMALLEST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add([lower, upper]: Words, count: number): void {
    const slot = this.#slotOf(lower, upper);
    if (this.#counts[slot] === 0) this.#take(slot, lower, upper, count);
    else this.#counts[slot]! += count;
  }

  /**
   * Adds values from `from` on, until there are more than `limit` different ones.
   * @param words the lower and the upper word of each value, alternately
   * @param counts how often each value occurs. Null: once
   * @returns the index after the last value that was added
   */
  addAll(words: Int32Array, counts: Uint32Array | null, from: number, limit: number): number {
    const values = words.length / 2;
    // Fields and calls cost much in a loop over all rows.
    let [keys, totals] = [this.#keys, this.#counts];
    let mask = totals.length - 1;
    for (let i = from; i < values; i++) {
      const lower = words[2 * i]!;
      const upper = words[2 * i + 1]!;
      let slot = hashOfWords(lower, upper) & mask;
      let total = totals[slot]!;
      while (total > 0 && (keys[2 * slot] !== lower || keys[2 * slot + 1] !== upper)) {
        slot = (slot + 1) & mask;
        total = totals[slot]!;
      }
      const count = counts === null ? 1 : counts[i]!;
      if (total > 0) {
        totals[slot] = total + count;
        continue;
      }
      this.#take(slot, lower, upper, count);
      if (this.#size > limit) return i + 1;
      [keys, totals] = [this.#keys, this.#counts];
      mask = totals.length - 1;
    }
    return values;
  }

  *entries(): Iterable<[Words, number]> {
    for (let slot = 0; slot < this.#counts.length; slot++) {
      const count = this.#counts[slot]!;
      if (count > 0) yield [[this.#keys[2 * slot]!, this.#keys[2 * slot + 1]!], count];
    }
  }

  #slotOf(lower: number, upper: number): number {
    const keys = this.#keys;
    const counts = this.#counts;
    const mask = counts.length - 1;
    let slot = hashOfWords(lower, upper) & mask;
    while (counts[slot]! > 0 && (keys[2 * slot] !== lower || keys[2 * slot + 1] !== upper)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #take(slot: number, lower: number, upper: number, count: number): void {
    this.#keys[2 * slot] = lower;
    this.#keys[2 * slot + 1] = upper;
    this.#counts[slot] = count;
    this.#size++;
    if (2 * this.#size > this.#counts.length) this.#grow();
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts];
    this.#keys = new Int32Array(2 * keys.length);
    this.#counts = new Float64Array(2 * counts.length);
    for (let at = 0; at < counts.length; at++) {
      if (counts[at] === 0) continue;
      const [lower, upper] = [keys[2 * at]!, keys[2 * at + 1]!];
      const slot = this.#slotOf(lower, upper);
      this.#keys[2 * slot] = lower;
      this.#keys[2 * slot + 1] = upper;
      this.#counts[slot] = counts[at]!;
    }
  }
}
