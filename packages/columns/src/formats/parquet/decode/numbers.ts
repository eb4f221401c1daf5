import { arrayOver } from "@polybin/core/backend";
import type { Memory } from "../memory.ts";
import type { ColumnTask, Store } from "../task.ts";
import type { Cursor } from "./hybrid.ts";
import { readByteValues } from "./strings.ts";
import { Unsupported } from "./unsupported.ts";
import { readBooleans, readWords } from "./words.ts";

type NumberStore = Exclude<Store, "string">;
/** The arrays that hold a column's values. Words are views of the same memory. */
export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
  half: Float32Array,
  boolean: Uint8Array,
  decimal: BigInt64Array,
  int96: BigInt64Array,
} as const satisfies Record<NumberStore, unknown>;

/** Creates an array for a column's values. */
export const arrayFor = (store: NumberStore, length: number): NumberArray => new ARRAYS[store](length);

/** Creates an array in memory with any contents, for code that writes all of it. */
export function arrayIn(memory: Memory, store: NumberStore, length: number): NumberArray {
  const Type = ARRAYS[store];
  return new Type(memory.take(length * Type.BYTES_PER_ELEMENT), 0, length);
}

/** Reads the values of a page, none of them null, into `out`. */
export function readNumbers(
  cursor: Cursor,
  column: ColumnTask,
  encoding: string,
  count: number,
  out: NumberArray,
): void {
  const { physical, store } = column;
  switch (physical) {
    case "BOOLEAN":
      readBooleans(cursor, encoding, count, out as Uint8Array);
      return;
    case "INT64":
    case "DOUBLE":
      readWords(cursor, encoding, count, 2, wordsOf(out));
      return;
    case "FLOAT":
      readWords(cursor, encoding, count, 1, wordsOf(out));
      return;
    case "INT32":
      if (store === "i32" || store === "u32") {
        readWords(cursor, encoding, count, 1, wordsOf(out));
        return;
      }
      narrow(cursor, encoding, count, store, out);
      return;
    default: {
      const size = physical === "INT96" ? INT96_BYTES : column.typeLength;
      if (store === "half") {
        const halves = new Uint8Array(2 * count);
        readByteValues(cursor, encoding, count, size, (i, bytes, start) => {
          halves[2 * i] = bytes[start]!;
          halves[2 * i + 1] = bytes[start + 1]!;
        });
        (out as Float32Array).set(arrayOver("f16", halves));
        return;
      }
      const words = wordsOf(out);
      const put = physical === "INT96" ? putTime : putDecimal;
      readByteValues(cursor, encoding, count, size, (i, bytes, start, end) =>
        put(bytes, start, end, words, 2 * i),
      );
    }
  }
}

const wordsOf = (array: NumberArray) =>
  new Uint32Array(array.buffer, array.byteOffset, array.byteLength >> 2);

/** Reads 32-bit integers that a type narrows, or a decimal widens. */
function narrow(cursor: Cursor, encoding: string, count: number, store: Store, out: NumberArray): void {
  const words = new Uint32Array(count);
  readWords(cursor, encoding, count, 1, words);
  const values = new Int32Array(words.buffer);
  if (store === "decimal") {
    const wide = new Int32Array(out.buffer, out.byteOffset);
    for (let i = 0; i < count; i++) {
      wide[2 * i] = values[i]!;
      wide[2 * i + 1] = values[i]! >> 31;
    }
    return;
  }
  for (let i = 0; i < count; i++) {
    out[i] = values[i]!;
    if (out[i] !== values[i]) throw new Error(`a page holds ${values[i]}, which is no ${store}`);
  }
}

const INT96_BYTES = 12;
const JULIAN_1970 = 2_440_588;
const DAY_NS = 86_400_000_000_000n;
const I64_MOST = 2n ** 63n - 1n;

/** Writes a time of 96 bits as nanoseconds since 1970. */
function putTime(bytes: Uint8Array, start: number, _end: number, words: Uint32Array, at: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, INT96_BYTES);
  const day = view.getUint32(8, true) - JULIAN_1970;
  const time = BigInt(day) * DAY_NS + view.getBigInt64(0, true);
  if (time > I64_MOST || time < -I64_MOST - 1n) {
    throw new Unsupported(`a time lies ${day} days from 1970, which 64 bits of nanoseconds do not hold`);
  }
  words[at] = Number(time & 0xffff_ffffn);
  words[at + 1] = Number((time >> 32n) & 0xffff_ffffn);
}

/** Writes an integer of bytes, the highest first, as a low and a high word. */
function putDecimal(bytes: Uint8Array, start: number, end: number, words: Uint32Array, at: number): void {
  const sign = end > start && bytes[start]! & 0x80 ? 0xff : 0;
  let low = 0;
  let high = 0;
  for (let k = 0; k < 8; k++) {
    const byte = end - 1 - k >= start ? bytes[end - 1 - k]! : sign;
    if (k < 4) low |= byte << (8 * k);
    else high |= byte << (8 * (k - 4));
  }
  for (let i = start; i < end - 8; i++)
    if (bytes[i] !== sign) throw new Error("a decimal does not fit 64 bits");
  if (end - start > 8 && (high >>> 31 === 1) !== (sign === 0xff))
    throw new Error("a decimal does not fit 64 bits");
  words[at] = low;
  words[at + 1] = high;
}

/** Copies the values that indices name. Wide ones go as words, so that no bit of them changes. */
export function gather(
  dictionary: NumberArray,
  indices: Uint32Array,
  count: number,
  out: NumberArray,
  at: number,
): void {
  if (dictionary.BYTES_PER_ELEMENT < 8) {
    const from = integersOf(dictionary);
    const to = integersOf(out);
    for (let i = 0; i < count; i++) to[at + i] = from[indices[i]!]!;
    return;
  }
  const from = wordsOf(dictionary);
  const to = wordsOf(out);
  for (let i = 0; i < count; i++) {
    const word = 2 * indices[i]!;
    const place = 2 * (at + i);
    to[place] = from[word]!;
    to[place + 1] = from[word + 1]!;
  }
}

/** Moves dense values apart, so that row i has its own where its bit is set. Other rows keep what they hold. */
export function spread(
  out: NumberArray | Uint32Array,
  at: number,
  rows: number,
  present: number,
  bits: Uint8Array,
): void {
  const wide = out.BYTES_PER_ELEMENT === 8;
  const array = wide ? wordsOf(out) : integersOf(out);
  let from = at + present - 1;
  for (let i = at + rows - 1; i > from; i--) {
    if (((bits[i >> 3]! >> (i & 7)) & 1) === 0) continue;
    if (wide) {
      array[2 * i] = array[2 * from]!;
      array[2 * i + 1] = array[2 * from + 1]!;
    } else array[i] = array[from]!;
    from--;
  }
}

function integersOf(array: NumberArray): Uint8Array | Uint16Array | Uint32Array {
  if (array.BYTES_PER_ELEMENT === 1) return new Uint8Array(array.buffer, array.byteOffset, array.length);
  if (array.BYTES_PER_ELEMENT === 2) return new Uint16Array(array.buffer, array.byteOffset, array.length);
  return wordsOf(array);
}
