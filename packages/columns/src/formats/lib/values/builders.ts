import type { SampleType } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Chunk, CountsChunk, LogicalType, TimeUnit, ValueArray } from "../../../table/index.ts";
import type { Builder } from "./builder.ts";
import { daysIn, FORMS, instantIn, pointed, type TextForms } from "./forms.ts";
import { floatOf, integerOf } from "./numbers.ts";
import { StringBuilder } from "./strings.ts";
import { type Instant, TICKS } from "./times.ts";
import { Nulls } from "./validity.ts";

/** Rows that a builder has room for at first. */
const FIRST_ROWS = 1024;

type NumberArray = Exclude<ValueArray, BigInt64Array | BigUint64Array>;
type ArrayOf<A> = new (lengthOrMemory: number | ArrayBuffer) => A;

const ARRAYS: Readonly<Partial<Record<SampleType, ArrayOf<NumberArray>>>> = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** Values in a typed array that grows. `words` is the number of array elements per value. */
abstract class ArrayBuilder<A extends NumberArray> implements Builder {
  readonly #name: string;
  readonly #nulls = new Nulls();
  readonly #array: ArrayOf<A>;
  readonly #words: number;
  #rows = 0;
  #room = FIRST_ROWS;
  protected values: A;

  constructor(name: string, array: ArrayOf<A>, words = 1) {
    this.#name = name;
    this.#array = array;
    this.#words = words;
    this.values = new array(FIRST_ROWS * words);
  }

  abstract add(text: string): boolean;

  addNumber(_value: number | bigint): boolean {
    return false;
  }

  addNull(): void {
    this.#nulls.mark(this.next());
  }

  /** Adds a row and returns its index. Its value is 0 until it is set. */
  protected next(): number {
    if (this.#rows === this.#room) {
      this.#room *= 2;
      const grown = new this.#array(this.#room * this.#words);
      (grown as Uint8Array).set(this.values as Uint8Array);
      this.values = grown;
    }
    return this.#rows++;
  }

  finish(): Chunk {
    const rows = this.#rows;
    const values = this.finished(this.values.slice(0, rows * this.#words) as A);
    return { name: this.#name, rows, nulls: this.#nulls.count, validity: this.#nulls.finish(rows), values };
  }

  protected finished(values: A): ValueArray {
    return values;
  }
}

class FloatBuilder extends ArrayBuilder<Float64Array | Float32Array> {
  readonly #decimal: string;

  constructor(name: string, array: ArrayOf<Float64Array | Float32Array>, { decimal }: TextForms) {
    super(name, array);
    this.#decimal = decimal;
  }

  add(text: string): boolean {
    const value = floatOf(pointed(text, this.#decimal));
    return value !== undefined && this.addNumber(value);
  }

  override addNumber(value: number | bigint): boolean {
    const row = this.next();
    this.values[row] = Number(value);
    return true;
  }
}

class IntegerBuilder extends ArrayBuilder<NumberArray> {
  readonly #min: number;
  readonly #max: number;

  constructor(name: string, type: SampleType) {
    super(name, ARRAYS[type]!);
    ({ min: this.#min, max: this.#max } = SAMPLE_TRAITS[type]);
  }

  add(text: string): boolean {
    const value = integerOf(text);
    return value !== undefined && this.addNumber(value);
  }

  override addNumber(value: number | bigint): boolean {
    if (!Number.isInteger(value) || typeof value !== "number" || value < this.#min || value > this.#max)
      return false;
    const row = this.next();
    this.values[row] = value;
    return true;
  }
}

class BooleanBuilder extends ArrayBuilder<Uint8Array> {
  constructor(name: string) {
    super(name, Uint8Array);
  }

  add(text: string): boolean {
    const value = BOOLEANS.get(text) ?? BOOLEANS.get(text.trim().toLowerCase());
    if (value === undefined) return false;
    const row = this.next();
    this.values[row] = value;
    return true;
  }
}

const BOOLEANS: ReadonlyMap<string, number> = new Map([
  ["true", 1],
  ["false", 0],
  ["1", 1],
  ["0", 0],
  ["yes", 1],
  ["no", 0],
]);

const WORD = 2 ** 32;

/**
 * 64-bit integers as pairs of words. Most integers are doubles, and writing their two words is faster than making a
 * bigint of them. Every machine that runs Node stores the low word first.
 */
abstract class WideBuilder extends ArrayBuilder<Int32Array> {
  readonly #min: bigint;
  readonly #max: bigint;
  readonly #isSigned: boolean;

  constructor(name: string, isSigned: boolean) {
    super(name, Int32Array, 2);
    this.#isSigned = isSigned;
    this.#min = isSigned ? -(2n ** 63n) : 0n;
    this.#max = isSigned ? 2n ** 63n - 1n : 2n ** 64n - 1n;
  }

  protected put(value: number | bigint): boolean {
    if (typeof value === "bigint") {
      if (value < this.#min || value > this.#max) return false;
      const row = this.next();
      this.values[2 * row] = Number(BigInt.asIntN(32, value));
      this.values[2 * row + 1] = Number(BigInt.asIntN(32, value >> 32n));
      return true;
    }
    if (value < 0 && !this.#isSigned) return false;
    const row = this.next();
    this.values[2 * row] = value | 0;
    this.values[2 * row + 1] = Math.floor(value / WORD) | 0;
    return true;
  }

  protected override finished({ buffer }: Int32Array): ValueArray {
    return this.#isSigned ? new BigInt64Array(buffer) : new BigUint64Array(buffer);
  }
}

class BigBuilder extends WideBuilder {
  add(text: string): boolean {
    const value = integerOf(text);
    return value !== undefined && this.put(value);
  }

  override addNumber(value: number | bigint): boolean {
    return (
      (typeof value === "bigint" || Number.isInteger(value)) &&
      this.put(Number.isSafeInteger(value) ? value : BigInt(value))
    );
  }
}

class DateBuilder extends ArrayBuilder<Int32Array> {
  readonly #forms: TextForms;

  constructor(name: string, forms: TextForms) {
    super(name, Int32Array);
    this.#forms = forms;
  }

  add(text: string): boolean {
    const days = daysIn(text, this.#forms) ?? daysIn(text.trim(), this.#forms);
    if (days === null) return false;
    const row = this.next();
    this.values[row] = days;
    return true;
  }
}

class TimestampBuilder extends WideBuilder {
  readonly #perSecond: number;
  readonly #digits: number;
  readonly #hasOffset: boolean;
  readonly #instant: Instant = { seconds: 0, nanoseconds: 0, digits: 0, hasOffset: false };
  readonly #forms: TextForms;

  constructor(
    name: string,
    { unit, timezone }: { readonly unit: TimeUnit; readonly timezone: string | null },
    forms: TextForms,
  ) {
    super(name, true);
    this.#forms = forms;
    ({ perSecond: this.#perSecond, digits: this.#digits } = TICKS[unit]);
    this.#hasOffset = timezone !== null;
  }

  add(text: string): boolean {
    const instant = this.#instant;
    const forms = this.#forms;
    if (!instantIn(text, forms, instant) && !instantIn(text.trim(), forms, instant)) return false;
    // A finer fraction than the unit's would be lost, and an offset changes what the numbers mean.
    if (instant.digits > this.#digits || instant.hasOffset !== this.#hasOffset) return false;
    const fraction = instant.nanoseconds / 10 ** (9 - this.#digits);
    const ticks = instant.seconds * this.#perSecond + fraction;
    if (Number.isSafeInteger(ticks)) return this.put(ticks);
    return this.put(BigInt(instant.seconds) * BigInt(this.#perSecond) + BigInt(fraction));
  }
}

/** Creates the builder of a column's values from texts. */
export function builderOf(name: string, type: LogicalType, forms: TextForms = FORMS): Builder {
  switch (type.kind) {
    case "number": {
      if (type.type === "f64" || type.type === "f32")
        return new FloatBuilder(name, type.type === "f64" ? Float64Array : Float32Array, forms);
      if (type.type === "i64" || type.type === "u64") return new BigBuilder(name, type.type === "i64");
      return new IntegerBuilder(name, type.type);
    }
    case "boolean":
      return new BooleanBuilder(name);
    case "date":
      return new DateBuilder(name, forms);
    case "timestamp":
      return new TimestampBuilder(name, type, forms);
    case "string":
      return new StringBuilder(name);
    default:
      throw new Error(`no text is read as ${type.kind}`);
  }
}

/** Returns the values of a column that lie in memory as `builderOf` stores them. */
export function valuesIn(type: LogicalType, memory: ArrayBuffer): ValueArray {
  if (type.kind === "timestamp") return new BigInt64Array(memory);
  if (type.kind !== "number") return type.kind === "date" ? new Int32Array(memory) : new Uint8Array(memory);
  if (type.type === "i64") return new BigInt64Array(memory);
  return type.type === "u64" ? new BigUint64Array(memory) : new ARRAYS[type.type]!(memory);
}

/** Returns the memory of chunks, which moves between threads. */
export function memoryOf(chunks: readonly (Chunk | CountsChunk)[]): ArrayBuffer[] {
  return chunks.flatMap((chunk) => {
    if ("counts" in chunk) {
      const values = ArrayBuffer.isView(chunk.values) ? [chunk.values.buffer as ArrayBuffer] : [];
      return [chunk.counts.buffer as ArrayBuffer, ...values];
    }
    const bits = chunk.validity === null ? [] : [chunk.validity.bits.buffer as ArrayBuffer];
    if ("values" in chunk) return [chunk.values.buffer as ArrayBuffer, ...bits];
    return "codes" in chunk ? [chunk.codes.buffer as ArrayBuffer, ...bits] : bits;
  });
}
