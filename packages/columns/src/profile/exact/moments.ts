import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { STEP } from "../limits.ts";
import { addFloats } from "./float-sums.ts";
import { addNarrow, addWide, NARROW } from "./integer-sums.ts";
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

  /**
   * Adds values of the kind, none of them null.
   * @param doubles 64-bit integers as doubles, if all of them are exact
   */
  add(values: ArrayLike<number> | BigInt64Array | BigUint64Array, doubles: Float64Array | null = null): void {
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
      this.#addWide(values, doubles);
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

  /** The moments of integers that occur some number of times each. @param counted ascending, with counts above 0 */
  static of(
    kind: MomentKind,
    counted: readonly { readonly value: number; readonly count: number }[],
  ): Moments {
    const moments = new Moments(kind);
    const isWide = kind === "signed" || kind === "unsigned";
    for (const { value, count } of counted) {
      const [whole, times] = [BigInt(value), BigInt(count)];
      moments.sum += whole * times;
      moments.squares += whole * whole * times;
      moments.count += count;
      moments.#extend(isWide ? whole : value, isWide ? whole : value);
    }
    return moments;
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

  #addWide(values: BigInt64Array | BigUint64Array, doubles: Float64Array | null): void {
    const signed = this.kind === "signed";
    const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
    for (let from = 0; from < values.length; from += STEP) {
      const count = Math.min(STEP, values.length - from);
      if (doubles !== null && this.#addNear(doubles.subarray(from, from + count))) continue;
      const part = words.subarray(2 * from, 2 * (from + count));
      addWide(this, part, count, signed);
      const [lo, hi] = wideExtentOf(part, signed);
      this.#extend(lo, hi);
      this.count += count;
    }
  }

  /** Adds integers by their distance from the first one. Returns false if they are too far apart. */
  #addNear(values: Float64Array): boolean {
    const first = values[0]!;
    let [lo, hi] = [0, 0];
    for (let i = 0; i < values.length; i++) {
      const distance = values[i]! - first;
      step[i] = distance;
      if (distance < lo) lo = distance;
      if (distance > hi) hi = distance;
    }
    const most = Math.max(-lo, hi);
    if (most >= NARROW) return false;
    const near: Sums = { sum: 0n, squares: 0n };
    addNarrow(near, step, values.length, most);
    const [base, count] = [BigInt(first), BigInt(values.length)];
    this.sum += near.sum + count * base;
    this.squares += near.squares + 2n * base * near.sum + count * base * base;
    this.count += values.length;
    this.#extend(BigInt(first + lo), BigInt(first + hi));
    return true;
  }

  #extend(lo: number | bigint | null, hi: number | bigint | null): void {
    if (lo !== null && (this.#min === null || lo < this.#min)) this.#min = lo;
    if (hi !== null && (this.#max === null || hi > this.#max)) this.#max = hi;
  }
}

/** Minimum and maximum of the step's first values: NaN if one of them is not finite. Four chains of additions overlap. */
function extentOf(count: number): [number, number] {
  if (count === 0) return [0, 0];
  let [lo, hi] = [step[0]!, step[0]!];
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = count - (count % 4);
  for (let i = 0; i < whole; i += 4) {
    const x = step[i]!;
    const y = step[i + 1]!;
    const z = step[i + 2]!;
    const w = step[i + 3]!;
    a += x - x;
    b += y - y;
    c += z - z;
    d += w - w;
    if (x < lo) lo = x;
    if (x > hi) hi = x;
    if (y < lo) lo = y;
    if (y > hi) hi = y;
    if (z < lo) lo = z;
    if (z > hi) hi = z;
    if (w < lo) lo = w;
    if (w > hi) hi = w;
  }
  for (let i = whole; i < count; i++) {
    const x = step[i]!;
    a += x - x;
    if (x < lo) lo = x;
    if (x > hi) hi = x;
  }
  const special = a + b + c + d;
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
