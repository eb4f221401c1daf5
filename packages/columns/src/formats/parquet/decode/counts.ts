import { type Counted, countBits } from "../../lib/bytes/index.ts";
import { MIN_REPEATS } from "../limits.ts";
import type { ColumnTask, PageTask } from "../task.ts";
import { countIndices, readIndices, type Span } from "./hybrid.ts";
import { gather, type NumberArray } from "./numbers.ts";
import { checkIndex, checkRows, isCoded, PageReader } from "./page-reader.ts";

/** Decodes the pages of a column to its values, without their rows. Indices into a dictionary are counted. */
export function countColumn(column: ColumnTask): Counted {
  const counter = new ColumnCounter(column);
  for (const page of column.pages) counter.add(page);
  return counter.finish();
}

class ColumnCounter {
  readonly #reader: PageReader;
  /** How often the batch has each value of the dictionary; null if they hardly repeat. */
  readonly #counts: Uint32Array<ArrayBuffer> | null;
  /** Values that are not counted. */
  readonly #single: NumberArray;
  #singles = 0;
  /** Rows of the pages before, and those of the batch that are not null. */
  #rows = 0;
  #values = 0;

  constructor(column: ColumnTask) {
    this.#reader = new PageReader(column);
    const { dictionary, rows } = this.#reader;
    const coded = column.pages.reduce((sum, page) => sum + (isCoded(page) ? page.values : 0), 0);
    const isCounted =
      dictionary !== null && (column.store === "string" || coded >= MIN_REPEATS * dictionary.length);
    this.#counts = isCounted ? new Uint32Array(dictionary.length) : null;
    this.#single = this.#reader.array(isCounted ? rows - coded : rows);
  }

  add(page: PageTask): void {
    const reader = this.#reader;
    const at = this.#rows;
    const { cursor, present } = reader.open(page, at);
    this.#rows += page.values;
    if (present === 0) return;
    const taken = this.#taken(page, at, present);
    this.#values += taken.end - taken.first;
    if (!isCoded(page)) {
      reader.readPlain(cursor, page.encoding, present, this.#single, this.#singles);
      this.#keep(taken);
      return;
    }
    const { dictionary, width } = reader.indices(cursor);
    if (this.#counts !== null) {
      checkIndex(countIndices(cursor, width, present, taken, this.#counts), dictionary);
      return;
    }
    const indices = new Uint32Array(present);
    checkIndex(readIndices(cursor, width, present, indices), dictionary);
    gather(dictionary.values, indices, present, this.#single, this.#singles);
    this.#keep(taken);
  }

  /** The values of a page that lie in rows of the batch. */
  #taken(page: PageTask, at: number, present: number): Span {
    const { column, bits } = this.#reader;
    const valuesBefore = (row: number): number => {
      const rows = Math.max(0, Math.min(page.values, row - at));
      if (rows === page.values) return present;
      return column.level > 0 ? countBits(bits, at, rows) : rows;
    };
    return { first: valuesBefore(column.skip), end: valuesBefore(column.skip + column.rows) };
  }

  /** Keeps some of the values that were read last. */
  #keep({ first, end }: Span): void {
    this.#single.copyWithin(this.#singles, this.#singles + first, this.#singles + end);
    this.#singles += end - first;
  }

  finish(): Counted {
    checkRows(this.#reader);
    const { column, strings } = this.#reader;
    const nulls = column.rows - this.#values;
    if (strings !== null) return { nulls, ...this.#strings(strings.strings()) };
    return { nulls, ...(column.store === "boolean" ? this.#booleans() : this.#numbers()) };
  }

  #strings(dictionary: readonly string[]): Omit<Counted, "nulls"> {
    const counts = new Uint32Array(dictionary.length);
    const codes = this.#reader.dictionary?.values as Uint32Array;
    for (const [i, count] of (this.#counts ?? []).entries()) counts[codes[i]!]! += count;
    for (let i = 0; i < this.#singles; i++) counts[this.#single[i] as number]! += 1;
    const used = [...counts.keys()].filter((code) => counts[code]! > 0);
    return { values: used.map((code) => dictionary[code]!), counts: counts.filter((count) => count > 0) };
  }

  /** Booleans are two values, however they are stored. */
  #booleans(): Omit<Counted, "nulls"> {
    let ones = 0;
    for (let i = 0; i < this.#singles; i++) ones += this.#single[i] as number;
    const dictionary = this.#reader.dictionary?.values as Uint8Array;
    for (const [i, count] of (this.#counts ?? []).entries()) ones += count * dictionary[i]!;
    const both = [this.#values - ones, ones];
    return {
      values: Uint8Array.of(0, 1).filter((value) => both[value]! > 0),
      counts: Uint32Array.from(both).filter((count) => count > 0),
    };
  }

  #numbers(): Omit<Counted, "nulls"> {
    const all = this.#counts ?? new Uint32Array(0);
    let used = 0;
    const indices = new Uint32Array(all.length);
    for (let i = 0; i < all.length; i++) if (all[i]! > 0) indices[used++] = i;
    const singles = this.#single.subarray(0, this.#singles);
    // A dictionary that no row uses has counts of 0, which must not meet the values of plain pages.
    if (used === 0 && singles.length === this.#single.length)
      return { values: this.#single, counts: new Uint32Array(0) };
    const values = this.#reader.array(used + singles.length);
    if (used > 0) gather(this.#reader.dictionary!.values, indices, used, values, 0);
    // Both arrays have one type.
    (values as Float64Array).set(singles as Float64Array, used);
    return { values, counts: all.filter((count) => count > 0) };
  }
}
