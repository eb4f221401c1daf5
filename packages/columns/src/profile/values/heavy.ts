import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { UNITS_PER_STRING } from "../limits.ts";
import type { Counts } from "./counts.ts";
import { readEntries, writeEntries } from "./entries.ts";
import { cellOf, hashOfWords } from "./hash.ts";
import { keysOf, type ValueKind } from "./keys.ts";
import { type Counted, sortedCounts } from "./values.ts";

/**
 * Exact counts of the values in the fullest cells of a table of counts. If these are more than `limit`, the emptiest
 * cells are left out. How many cells remain depends on the values alone, so merging in any order gives the same bits.
 */
export class HeavyValues {
  readonly kind: ValueKind;
  readonly limit: number;
  readonly #cells: readonly number[];
  /** The place of each cell in the list. */
  readonly #places: ReadonlyMap<number, number>;
  #kept: number;
  #exact: Counts<unknown>;

  /** @param cells the fullest first */
  constructor(kind: ValueKind, limit: number, cells: readonly number[]) {
    this.kind = kind;
    this.limit = limit;
    this.#cells = cells;
    this.#places = new Map(cells.map((cell, place) => [cell, place]));
    this.#kept = cells.length;
    this.#exact = keysOf(kind).counts();
  }

  /** The first cells of the list, whose values are counted exactly. */
  get kept(): number {
    return this.#kept;
  }

  sorted(): Counted[] {
    return sortedCounts(this.#exact, this.kind);
  }

  /** Adds 64-bit values by their words. @param counts how often each value occurs. Null: once */
  addWords(words: Int32Array, counts: Uint32Array | null): void {
    const places = this.#places;
    for (let i = 0; i < words.length / 2; i++) {
      const [lower, upper] = [words[2 * i]!, words[2 * i + 1]!];
      const place = places.get(cellOf(hashOfWords(lower, upper)));
      if (place !== undefined && place < this.#kept)
        this.#add([lower, upper], counts === null ? 1 : counts[i]!);
    }
  }

  addKey(key: unknown, count: number): void {
    const place = this.#places.get(cellOf(keysOf(this.kind).hash(key)));
    if (place !== undefined && place < this.#kept) this.#add(key, count);
  }

  merge(other: HeavyValues): void {
    if (
      other.kind !== this.kind ||
      other.limit !== this.limit ||
      other.#cells.join() !== this.#cells.join()
    ) {
      throw broken("frequent values of another kind, limit or other cells");
    }
    this.#keep(Math.min(this.#kept, other.#kept));
    for (const [key, count] of other.#exact.entries()) this.addKey(key, count);
  }

  write(to: ByteWriter): void {
    to.whole(this.#kept);
    writeEntries(to, this.#exact, this.kind);
  }

  static read(from: ByteReader, kind: ValueKind, limit: number, cells: readonly number[]): HeavyValues {
    const values = new HeavyValues(kind, limit, cells);
    const kept = from.whole(cells.length);
    values.#keep(kept);
    const size = readEntries(from, kind, limit, (key, count) => values.addKey(key, count));
    if (values.#exact.size !== size || values.#kept !== kept)
      throw broken("a value twice, or of another cell");
    return values;
  }

  #add(key: unknown, count: number): void {
    this.#exact.add(key, count);
    while (this.#exact.size > this.limit || this.#exact.units > this.limit * UNITS_PER_STRING) {
      this.#keep(this.#kept - 1);
    }
  }

  /** Leaves out the values of all cells but the first ones. */
  #keep(kept: number): void {
    if (kept >= this.#kept) return;
    this.#kept = kept;
    const { hash, counts } = keysOf(this.kind);
    const remaining = counts();
    for (const [key, count] of this.#exact.entries()) {
      if (this.#places.get(cellOf(hash(key)))! < kept) remaining.add(key, count);
    }
    this.#exact = remaining;
  }
}
