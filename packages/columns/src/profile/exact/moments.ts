import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { STEP } from "../limits.ts";
import { addDouble, addDoubles } from "./float-sums.ts";
import { addIntegers, addSmall, SMALL } from "./integer-sums.ts";
import { kernel } from "./kernel/index.ts";
import { ratio, rootOfRatio } from "./ratio.ts";
import { FLOAT_UNIT_BITS, SUM_BYTES, type Sums } from "./sums.ts";

/** How values are added: as doubles, as integers of up to 32 bits, or as 64-bit integers. */
export type MomentKind = "float" | "narrow" | "signed" | "unsigned";

/** Bytes of a 64-bit integer. */
const INTEGER_BYTES = 8;

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
    const step = kernel();
    const all = values as Float64Array;
    for (let from = 0; from < all.length; from += STEP) {
      const count = Math.min(STEP, all.length - from);
      const part = all.subarray(from, from + count);
      if (part instanceof Float32Array) {
        step.floats.set(part);
        step.promote(count);
      } else step.values.set(part);
      this.#addStep(count);
    }
  }

  /** Adds values that occur counts[i] times each. 64-bit integers are doubles if all of them are exact. */
  addCounted(values: ArrayLike<number> | BigInt64Array | BigUint64Array, counts: Uint32Array): void {
    if (!(values instanceof BigInt64Array || values instanceof BigUint64Array))
      this.#addWeighted(values, counts);
    else for (let i = 0; i < counts.length; i++) this.#addWhole(values[i]!, counts[i]!);
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
    for (const { value, count } of counted) {
      moments.#addWhole(BigInt(value), count);
    }
    return moments;
  }

  /** The mean of the finite values, rounded once; null without any. */
  mean(): number | null {
    return this.count === 0 ? null : ratio(this.sum, BigInt(this.count), -this.#unitBits);
  }

  /** The population standard deviation of the finite values: the root of the exact variance; null without any. */
  stddev(): number | null {
    if (this.count === 0) return null;
    const count = BigInt(this.count);
    const numerator = count * this.squares - this.sum * this.sum;
    return rootOfRatio(numerator, count * count, -2 * this.#unitBits);
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
    const end = (): number | bigint => (moments.#isWide ? from.integer(INTEGER_BYTES) : from.double());
    moments.#extend(end(), end());
    return moments;
  }

  get #isWide(): boolean {
    return this.kind === "signed" || this.kind === "unsigned";
  }

  get #unitBits(): number {
    return this.kind === "float" ? FLOAT_UNIT_BITS : 0;
  }

  #addStep(given: number): void {
    const step = kernel();
    let count = given;
    step.extent(count);
    if (Number.isNaN(step.sums[2]!)) {
      count = this.#withoutSpecial(count);
      if (count === 0) return;
      step.extent(count);
    }
    const [lo, hi] = [step.sums[0]! + 0, step.sums[1]! + 0];
    this.count += count;
    this.#extend(lo, hi);
    const most = Math.max(-lo, hi);
    if (this.kind !== "float" && most <= SMALL) addSmall(this, count);
    else addDoubles(this, this.#unitBits, count, most, false);
  }

  /** Counts NaN and infinities, and closes their gaps in the step. Returns the number of the others. */
  #withoutSpecial(count: number): number {
    const { values } = kernel();
    let finite = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      if (Number.isFinite(value)) values[finite++] = value;
      else this.#addSpecial(value, 1);
    }
    return finite;
  }

  #addSpecial(value: number, count: number): void {
    if (Number.isNaN(value)) this.nan += count;
    else if (value > 0) this.positive += count;
    else this.negative += count;
  }

  #addWide(values: BigInt64Array | BigUint64Array): void {
    const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
    for (let from = 0; from < values.length; from += STEP) {
      const count = Math.min(STEP, values.length - from);
      kernel().words.set(words.subarray(2 * from, 2 * (from + count)));
      this.#extend(...addIntegers(this, count, this.kind === "signed"));
      this.count += count;
    }
  }

  /** Adds values with their counts in steps, whose counts together have the size of a step. */
  #addWeighted(all: ArrayLike<number>, counts: Uint32Array): void {
    const { values, weights } = kernel();
    let [filled, total, most] = [0, 0, 0];
    let [lo, hi] = [Infinity, -Infinity];
    for (let i = 0; i < counts.length; i++) {
      const count = counts[i]!;
      if (count === 0) continue;
      const value = all[i]!;
      const size = Math.abs(value);
      if (!(size < Infinity)) {
        this.#addSpecial(value, count);
        continue;
      }
      this.count += count;
      lo = Math.min(lo, value);
      hi = Math.max(hi, value);
      if (count > STEP) {
        addDouble(this, this.#unitBits, value, count);
        continue;
      }
      if (total + count > STEP) {
        addDoubles(this, this.#unitBits, filled, most, true);
        [filled, total, most] = [0, 0, 0];
      }
      values[filled] = value;
      weights[filled++] = count;
      total += count;
      if (size > most) most = size;
    }
    if (filled > 0) addDoubles(this, this.#unitBits, filled, most, true);
    if (lo > hi) return;
    if (this.#isWide) this.#extend(BigInt(lo), BigInt(hi));
    else this.#extend(lo + 0, hi + 0);
  }

  /** Adds an integer some number of times. */
  #addWhole(value: bigint, count: number): void {
    if (count === 0) return;
    const times = BigInt(count);
    this.sum += value * times;
    this.squares += value * value * times;
    this.count += count;
    const end = this.#isWide ? value : Number(value);
    this.#extend(end, end);
  }

  #extend(lo: number | bigint | null, hi: number | bigint | null): void {
    if (lo !== null && (this.#min === null || lo < this.#min)) this.#min = lo;
    if (hi !== null && (this.#max === null || hi > this.#max)) this.#max = hi;
  }
}
