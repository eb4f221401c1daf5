import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { MOST_PATTERNS, PATTERN_UNITS } from "../limits.ts";

/** The class of each UTF-16 code unit, found when it is first seen. 0: not yet. */
const classes = new Uint16Array(0x1_0000);
const [UPPER, LOWER, DIGIT, MORE] = ["A", "a", "9", "…"].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];
const FIRST = 0x85eb_ca6b;
const SECOND = 0x9e37_79b1;
/** Two hashes make one of 53 bits, which a number holds. */
const LOWER_BITS = 2 ** 21;

/** Letters are A or a, digits 9, and all others stand for themselves. */
function classOf(unit: number): number {
  const known = classes[unit]!;
  if (known !== 0) return known;
  const sign = String.fromCharCode(unit);
  const found = /\p{Lu}/u.test(sign)
    ? UPPER
    : /\p{L}/u.test(sign)
      ? LOWER
      : /\p{Nd}/u.test(sign)
        ? DIGIT
        : unit;
  classes[unit] = found;
  return found;
}

/** The pattern of a text, such as AA-999 of XY-042. Long texts are cut. */
export function patternOf(text: string): string {
  const units = Array.from({ length: Math.min(text.length, PATTERN_UNITS) }, (_, i) =>
    classOf(text.charCodeAt(i)),
  );
  if (text.length > PATTERN_UNITS) units.push(MORE);
  return String.fromCharCode(...units);
}

/**
 * Counts of the patterns of texts, up to MOST_PATTERNS. If there are more, nothing remains: whether there are depends on the
 * texts alone, so adding and merging in any order gives the same bits. Two patterns whose hashes of 53 bits agree would be
 * one, which is less likely than one in ten billion.
 */
export class PatternCounts {
  #counts: Map<number, { readonly pattern: string; count: number }> | null = new Map();

  /** The patterns and their counts, the most frequent first. Null beyond the limit. */
  sorted(): { readonly pattern: string; readonly count: number }[] | null {
    if (this.#counts === null) return null;
    return [...this.#counts.values()].sort((a, b) => b.count - a.count || (a.pattern < b.pattern ? -1 : 1));
  }

  /** Adds a text some number of times. */
  add(text: string, count: number): void {
    if (this.#counts === null) return;
    const length = Math.min(text.length, PATTERN_UNITS);
    let [a, b] = [Math.min(text.length, PATTERN_UNITS + 1), 0];
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      const sign = classes[unit]! || classOf(unit);
      a = Math.imul(a ^ sign, FIRST) + i;
      b = Math.imul(b ^ sign, SECOND) ^ (b >>> 15);
    }
    const key = ((a ^ (a >>> 16)) >>> 0) * LOWER_BITS + (((b ^ (b >>> 11)) >>> 0) % LOWER_BITS);
    const found = this.#counts.get(key);
    if (found !== undefined) found.count += count;
    else this.#take(key, patternOf(text), count);
  }

  merge(other: PatternCounts): void {
    if (other.#counts === null) this.#counts = null;
    for (const [key, { pattern, count }] of other.#counts ?? []) {
      const found = this.#counts?.get(key);
      if (found !== undefined) found.count += count;
      else this.#take(key, pattern, count);
    }
  }

  write(to: ByteWriter): void {
    const sorted = this.sorted();
    to.whole(sorted === null ? 0 : sorted.length + 1);
    for (const { pattern, count } of sorted ?? []) {
      to.text(pattern);
      to.whole(count);
    }
  }

  static read(from: ByteReader): PatternCounts {
    const read = new PatternCounts();
    const size = from.whole(MOST_PATTERNS + 1);
    if (size === 0) {
      read.#counts = null;
      return read;
    }
    for (let i = 1; i < size; i++) {
      const pattern = from.text(PATTERN_UNITS + 1);
      const count = from.whole();
      if (count === 0) throw broken("a pattern that never occurs");
      // A pattern is its own pattern.
      read.add(pattern, count);
    }
    if (read.#counts?.size !== size - 1) throw broken("a pattern twice");
    return read;
  }

  #take(key: number, pattern: string, count: number): void {
    if (this.#counts === null) return;
    this.#counts.set(key, { pattern, count });
    if (this.#counts.size > MOST_PATTERNS) this.#counts = null;
  }
}
