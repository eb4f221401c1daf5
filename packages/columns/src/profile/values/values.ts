import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import type { DistinctJson } from "../json.ts";
import { HASH_CELLS, HEAVY_SHARE, UNITS_PER_STRING } from "../limits.ts";
import { type Counts, WordCounts } from "./counts.ts";
import { readEntries, writeEntries } from "./entries.ts";
import { cellOf, hashOfWords, rankHashOfWords } from "./hash.ts";
import { HYPERLOGLOG_ERROR, HyperLogLog } from "./hyperloglog.ts";
import { compareValues, keysOf, type Value, type ValueKind } from "./keys.ts";

/** A value and how often it occurs. */
export interface Counted {
  readonly value: Value;
  readonly count: number;
}

/**
 * The different values of a column. Up to `limit` of them, the counts of all are exact. Beyond it, only a table of counts
 * by hash remains, which bounds how often a value can occur, and an estimate of their number. Which of the two holds depends on the values alone, so adding
 * and merging in any order gives the same bits.
 */
export class Values {
  readonly kind: ValueKind;
  readonly limit: number;
  #exact: Counts<unknown> | null;
  #cells: Float64Array | null = null;
  #estimate: HyperLogLog | null = null;
  #total = 0;
  /** Code units of the longest string. */
  #longest = 0;

  constructor(kind: ValueKind, limit: number) {
    this.kind = kind;
    this.limit = limit;
    this.#exact = keysOf(kind).counts();
  }

  /** Number of values added, without NaN. */
  get total(): number {
    return this.#total;
  }

  /** Different values: all of them, or an estimate above a certain bound. */
  get distinct(): DistinctJson {
    if (this.#exact !== null) return { value: this.#exact.size, exact: true };
    const filled = this.#cells!.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    // Long strings pass the limit before there are `limit` of them.
    const units = Math.max(this.#longest, UNITS_PER_STRING);
    const passed = Math.floor((this.limit * UNITS_PER_STRING) / units) + 1;
    const atLeast = Math.max(filled, Math.min(passed, this.limit + 1));
    const estimate = Math.round(this.#estimate!.estimate());
    const value = Math.min(Math.max(estimate, atLeast), this.#total);
    return { value, exact: false, atLeast, standardError: HYPERLOGLOG_ERROR };
  }

  /** All values with their counts, the most frequent first; null beyond the limit. */
  sorted(): Counted[] | null {
    return this.#exact === null ? null : sortedCounts(this.#exact, this.kind);
  }

  /**
   * The cells that hold more than HEAVY_SHARE of the values, the fullest first, and the largest count of the others. Every
   * value outside them occurs at most that often. Null within the limit.
   */
  heavyCells(): {
    readonly cells: readonly number[];
    readonly bound: number;
    readonly counts: readonly number[];
  } | null {
    const counts = this.#cells;
    if (counts === null) return null;
    const least = this.#total * HEAVY_SHARE;
    const cells = [...counts.keys()].filter((cell) => counts[cell]! > least);
    cells.sort((a, b) => counts[b]! - counts[a]! || a - b);
    const bound = counts.reduce((most, count) => (count > least ? most : Math.max(most, count)), 0);
    return { cells, bound, counts: cells.map((cell) => counts[cell]!) };
  }

  /** Adds 64-bit values by their words. @param counts how often each value occurs, at least once. Null: once */
  addWords(words: Int32Array, counts: Uint32Array | null): void {
    const values = words.length / 2;
    this.#total += counts === null ? values : counts.reduce((sum, count) => sum + count, 0);
    let done = 0;
    if (this.#exact instanceof WordCounts) {
      done = this.#exact.addAll(words, counts, 0, this.limit);
      this.#check();
    }
    const [cells, estimate] = [this.#cells, this.#estimate];
    if (cells === null || estimate === null) return;
    for (let i = done; i < values; i++) {
      const [lower, upper] = [words[2 * i]!, words[2 * i + 1]!];
      const cell = cellOf(hashOfWords(lower, upper));
      cells[cell]! += counts === null ? 1 : counts[i]!;
      estimate.add(cell, rankHashOfWords(lower, upper));
    }
  }

  /** Adds one value some number of times. */
  addKey(key: unknown, count: number): void {
    this.#total += count;
    if (typeof key === "string") this.#longest = Math.max(this.#longest, key.length);
    if (this.#exact === null) this.#addCell(key, count);
    else {
      this.#exact.add(key, count);
      this.#check();
    }
  }

  merge(other: Values): void {
    if (other.kind !== this.kind || other.limit !== this.limit)
      throw broken("values of another kind or limit");
    if (other.#exact !== null) {
      for (const [key, count] of other.#exact.entries()) this.addKey(key, count);
      return;
    }
    this.#overflow();
    for (const [cell, count] of other.#cells!.entries()) this.#cells![cell]! += count;
    this.#estimate!.merge(other.#estimate!);
    this.#total += other.#total;
    this.#longest = Math.max(this.#longest, other.#longest);
  }

  write(to: ByteWriter): void {
    to.whole(this.#exact === null ? 0 : 1);
    if (this.#exact === null) {
      to.whole(this.#longest);
      for (const count of this.#cells!) to.whole(count);
      this.#estimate!.write(to);
      return;
    }
    writeEntries(to, this.#exact, this.kind);
  }

  static read(from: ByteReader, kind: ValueKind, limit: number): Values {
    const values = new Values(kind, limit);
    if (from.whole(1) === 0) {
      values.#overflow();
      values.#longest = from.whole();
      for (let cell = 0; cell < HASH_CELLS; cell++) values.#total += values.#cells![cell] = from.whole();
      values.#estimate = HyperLogLog.read(from);
      return values;
    }
    const size = readEntries(from, kind, limit, (key, count) => values.addKey(key, count));
    if (values.#exact?.size !== size) throw broken("a value twice, or too many");
    return values;
  }

  /** Keeps the table only, if the exact counts are too many. */
  #check(): void {
    const exact = this.#exact;
    if (exact === null) return;
    if (exact.size > this.limit || exact.units > this.limit * UNITS_PER_STRING) this.#overflow();
  }

  #overflow(): void {
    const exact = this.#exact;
    if (exact === null) return;
    this.#cells = new Float64Array(HASH_CELLS);
    this.#estimate = new HyperLogLog();
    for (const [key, count] of exact.entries()) this.#addCell(key, count);
    this.#exact = null;
  }

  #addCell(key: unknown, count: number): void {
    const { hash, rankHash } = keysOf(this.kind);
    const cell = cellOf(hash(key));
    this.#cells![cell]! += count;
    this.#estimate!.add(cell, rankHash(key));
  }
}

export function sortedCounts(counts: Counts<unknown>, kind: ValueKind): Counted[] {
  const { value } = keysOf(kind);
  return sortedByCount(Array.from(counts.entries(), ([key, count]) => ({ value: value(key), count })));
}

/** The most frequent first; equally frequent ones in the order of their values. */
export function sortedByCount(counted: Counted[]): Counted[] {
  return counted.sort((a, b) => b.count - a.count || compareValues(a.value, b.value));
}
