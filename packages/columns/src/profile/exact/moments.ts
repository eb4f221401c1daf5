import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { STEP } from "../limits.ts";
import { addFloats } from "./float-sums.ts";
import { addNarrow, addWide } from "./integer-sums.ts";
import { ratio } from "./ratio.ts";
import { FLOAT_UNIT_BITS, SUM_BYTES, type Sums } from "./sums.ts";

/** How values are added: as doubles, as integers below 2^33, or as 64-bit integers. */
export type MomentKind = "float" | "narrow" | "signed" | "unsigned";

/** Bytes of a 64-bit integer. */
const INTEGER_BYTES = 8;
const step = new Float64Array(STEP);

/**
 * Counts, extent and exact sums of a column. The sums are integers, so adding values and merging in any order gives the
 * same bits. NaN and infinities are counted apart. -0 is 0.
 */
export class Moments implements Sums {
  readonly kind: MomentKind;
  /** Finite values. */
  count = 0;
  nan = 0;
  negative = 0;
  positive = 0;
  sum = 0n;
  squares = 0n;
  #min: number | bigint | null = null;
  #max: number | bigint | null = null;

  constructor(kind: MomentKind) {
    this.kind = kind;
  }

  /** The smallest finite value, or null. 64-bit integers are bigints. */
  get min(): number | bigint | null {
    return this.#min;
  }

  get max(): number | bigint | null {
    return this.#max;
  }

  /** Adds values of the kind, none of them null. */
  add(values: ArrayLike<number> | BigInt64Array | BigUint64Array): void {
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
      this.#addWide(values);
      return;
    }
    const all = values as Float64Array;
    for (let from = 0; from < all.length; from += STEP) {
      const count = Math.min(STEP, all.length - from);
      step.set(all.subarray(from, from + count));
      this.#addStep(count);
    }
  }

  merge(other: Moments): void {
    if (other.kind !== this.kind) throw broken(`moments of the kind ${other.kind}, not ${this.kind}`);
    this.count += other.count;
    this.nan += other.nan;
    this.negative += other.negative;
    this.positive += other.positive;
    this.sum += other.sum;
    this.squares += other.squares;
    this.#extend(other.#min, other.#max);
  }

  /** The mean of the finite values, rounded once; null without any. */
  mean(): number | null {
    return this.count === 0 ? null : ratio(this.sum, BigInt(this.count), -this.#unitBits());
  }

  /** The population standard deviation of the finite values: the root of the exact variance; null without any. */
  stddev(): number | null {
    if (this.count === 0) return null;
    const count = BigInt(this.count);
    const numerator = count * this.squares - this.sum * this.sum;
    return Math.sqrt(ratio(numerator, count * count, -2 * this.#unitBits()));
  }

  write(to: ByteWriter): void {
    for (const count of [this.count, this.nan, this.negative, this.positive]) to.whole(count);
    to.integer(this.sum);
    to.integer(this.squares);
    if (this.count === 0) return;
    for (const end of [this.#min!, this.#max!]) typeof end === "bigint" ? to.integer(end) : to.double(end);
  }

  static read(from: ByteReader, kind: MomentKind): Moments {
    const moments = new Moments(kind);
    moments.count = from.whole();
    moments.nan = from.whole();
    moments.negative = from.whole();
    moments.positive = from.whole();
    moments.sum = from.integer(SUM_BYTES);
    moments.squares = from.integer(SUM_BYTES);
    if (moments.count === 0) return moments;
    const isWide = kind === "signed" || kind === "unsigned";
    const end = (): number | bigint => (isWide ? from.integer(INTEGER_BYTES) : from.double());
    moments.#extend(end(), end());
    return moments;
  }

  #unitBits(): number {
    return this.kind === "float" ? FLOAT_UNIT_BITS : 0;
  }

  #addStep(given: number): void {
    let count = given;
    let [lo, hi] = extentOf(count);
    if (Number.isNaN(lo)) {
      count = this.#withoutSpecial(count);
      [lo, hi] = extentOf(count);
    }
    if (count === 0) return;
    this.count += count;
    this.#extend(lo + 0, hi + 0);
    const most = Math.max(-lo, hi);
    if (this.kind === "float") addFloats(this, step, count, most);
    else addNarrow(this, step, count, most);
  }

  /** Counts NaN and infinities, and closes their gaps in the step. Returns the number of the others. */
  #withoutSpecial(count: number): number {
    let finite = 0;
    for (let i = 0; i < count; i++) {
      const value = step[i]!;
      if (Number.isFinite(value)) step[finite++] = value;
      else if (Number.isNaN(value)) this.nan++;
      else if (value > 0) this.positive++;
      else this.negative++;
    }
    return finite;
  }

  #addWide(values: BigInt64Array | BigUint64Array): void {
    const signed = this.kind === "signed";
    const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
    for (let from = 0; from < values.length; from += STEP) {
      const count = Math.min(STEP, values.length - from);
      const part = words.subarray(2 * from, 2 * (from + count));
      addWide(this, part, count, signed);
      const [lo, hi] = wideExtentOf(part, signed);
      this.#extend(lo, hi);
      this.count += count;
    }
  }

  #extend(lo: number | bigint | null, hi: number | bigint | null): void {
    if (lo !== null && (this.#min === null || lo < this.#min)) this.#min = lo;
    if (hi !== null && (this.#max === null || hi > this.#max)) this.#max = hi;
  }
}

/** Minimum and maximum of the step's first values: NaN if one of them is not finite. */
function extentOf(count: number): [number, number] {
  if (count === 0) return [0, 0];
  let [lo, hi, special] = [step[0]!, step[0]!, 0];
  for (let i = 0; i < count; i++) {
    const value = step[i]!;
    special += value - value;
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return [lo + special, hi + special];
}

const SIGN = 0x8000_0000 | 0;
const WORD = 32n;

/** Compares words: the upper ones with the sign's order, then the lower ones without a sign. */
function wideExtentOf(words: Int32Array, signed: boolean): [bigint, bigint] {
  const flip = signed ? 0 : SIGN;
  let [loUpper, loLower] = [words[1]! ^ flip, words[0]! ^ SIGN];
  let [hiUpper, hiLower] = [loUpper, loLower];
  for (let i = 2; i < words.length; i += 2) {
    const upper = words[i + 1]! ^ flip;
    const lower = words[i]! ^ SIGN;
    if (upper < loUpper || (upper === loUpper && lower < loLower)) [loUpper, loLower] = [upper, lower];
    if (upper > hiUpper || (upper === hiUpper && lower > hiLower)) [hiUpper, hiLower] = [upper, lower];
  }
  const joined = (upper: number, lower: number): bigint =>
    (BigInt(signed ? upper : (upper ^ SIGN) >>> 0) << WORD) + BigInt((lower ^ SIGN) >>> 0);
  return [joined(loUpper, loLower), joined(hiUpper, hiLower)];
}
