import type { ByteReader, ByteWriter } from "../bytes.ts";
import { CLIPPED_UNITS, LENGTHS } from "../limits.ts";

/** Count, first, last and lengths of strings, in the order of their UTF-16 code units. Merging in any order gives the same bits. */
export class TextMoments {
  count = 0;
  /** UTF-16 code units of all strings. */
  units = 0;
  shortest = 0;
  longest = 0;
  /** The start of the first and of the last string; null without any. */
  min: string | null = null;
  max: string | null = null;
  /** Strings by their length. The last entry has those of its length or longer. */
  readonly lengths: Float64Array = new Float64Array(LENGTHS);

  /** Adds a string some number of times. */
  add(text: string, count: number): void {
    const { length } = text;
    this.shortest = this.count === 0 ? length : Math.min(this.shortest, length);
    this.longest = Math.max(this.longest, length);
    this.count += count;
    this.units += length * count;
    this.lengths[Math.min(length, LENGTHS - 1)]! += count;
    if (this.min === null || text < this.min) this.#extend(text.slice(0, CLIPPED_UNITS), null);
    if (this.max === null || text > this.max) this.#extend(null, text.slice(0, CLIPPED_UNITS));
  }

  merge(other: TextMoments): void {
    if (other.count === 0) return;
    this.shortest = this.count === 0 ? other.shortest : Math.min(this.shortest, other.shortest);
    this.longest = Math.max(this.longest, other.longest);
    this.count += other.count;
    this.units += other.units;
    for (const [length, count] of other.lengths.entries()) this.lengths[length]! += count;
    this.#extend(other.min, other.max);
  }

  write(to: ByteWriter): void {
    to.whole(this.count);
    if (this.count === 0) return;
    for (const number of [this.units, this.shortest, this.longest]) to.whole(number);
    to.text(this.min!);
    to.text(this.max!);
    for (const count of this.lengths) to.whole(count);
  }

  static read(from: ByteReader): TextMoments {
    const moments = new TextMoments();
    moments.count = from.whole();
    if (moments.count === 0) return moments;
    moments.units = from.whole();
    moments.shortest = from.whole();
    moments.longest = from.whole();
    moments.min = from.text(CLIPPED_UNITS);
    moments.max = from.text(CLIPPED_UNITS);
    for (let length = 0; length < LENGTHS; length++) moments.lengths[length] = from.whole();
    return moments;
  }

  #extend(min: string | null, max: string | null): void {
    if (min !== null && (this.min === null || min < this.min)) this.min = min;
    if (max !== null && (this.max === null || max > this.max)) this.max = max;
  }
}
