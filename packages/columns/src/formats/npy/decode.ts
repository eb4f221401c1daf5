import { arrayOver } from "@polybin/core/backend";
import type { Decoded } from "../../pool/index.ts";
import { type Chunk, damaged, type ValueArray } from "../../table/index.ts";
import { memoryOf, Nulls, StringBuilder } from "../lib/values/index.ts";
import type { Element } from "./dtype.ts";

/** Where the elements of a column lie. */
export interface NpyColumn {
  readonly name: string;
  readonly element: Element;
  /** Index of the bytes in the task. */
  readonly block: number;
  /** Offset of the first element, bytes from one element to the next, and bytes of one. */
  readonly offset: number;
  readonly stride: number;
  readonly bytes: number;
  readonly swaps: boolean;
}

/** Some rows of an array. */
export interface NpyTask {
  readonly file: string;
  readonly rows: number;
  readonly blocks: readonly Uint8Array<ArrayBuffer>[];
  readonly columns: readonly NpyColumn[];
}

/** Turns the bytes of rows into chunks. */
export function decode({ file, rows, blocks, columns }: NpyTask): Decoded<readonly Chunk[]> {
  const value = columns.map((column) => {
    const bytes = gather(blocks[column.block]!, rows, column);
    return chunkOf(file, rows, bytes, column);
  });
  return { value, transfer: memoryOf(value) };
}

/** Copies the elements of a column next to one another, in this machine's order of bytes. */
function gather(block: Uint8Array<ArrayBuffer>, rows: number, column: NpyColumn): Uint8Array<ArrayBuffer> {
  const { element, offset, stride, bytes, swaps } = column;
  const isDense = stride === bytes;
  const gathered = isDense
    ? new Uint8Array(block.subarray(offset, offset + rows * bytes))
    : new Uint8Array(rows * bytes);
  if (!isDense) gatherInto(gathered, block, rows, column);
  // Texts of characters are arrays of 32-bit numbers.
  if (swaps && element.as !== "bytes") swap(gathered, element.as === "characters" ? CHARACTER_BYTES : bytes);
  return gathered;
}

function gatherInto(
  into: Uint8Array<ArrayBuffer>,
  block: Uint8Array<ArrayBuffer>,
  rows: number,
  { offset, stride, bytes }: NpyColumn,
): void {
  const Words = bytes === 4 ? Uint32Array : bytes === 2 ? Uint16Array : null;
  const start = block.byteOffset + offset;
  // Whole elements are copied much faster than bytes. Integers, because a copy as a double may change the bits of a NaN.
  if (Words !== null && start % bytes === 0 && stride % bytes === 0) {
    const from = new Words(block.buffer, start, Math.floor((block.length - offset) / bytes));
    const to = new Words(into.buffer);
    const step = stride / bytes;
    for (let i = 0, at = 0; i < rows; i++, at += step) to[i] = from[at]!;
    return;
  }
  if (bytes === 8 && start % 4 === 0 && stride % 4 === 0) {
    const from = new Uint32Array(block.buffer, start, Math.floor((block.length - offset) / 4));
    const to = new Uint32Array(into.buffer);
    const step = stride / 4;
    for (let i = 0, at = 0; i < 2 * rows; i += 2, at += step) {
      to[i] = from[at]!;
      to[i + 1] = from[at + 1]!;
    }
    return;
  }
  for (let i = 0, at = offset; i < rows; i++, at += stride) {
    for (let b = 0; b < bytes; b++) into[i * bytes + b] = block[at + b]!;
  }
}

/** Reverses the bytes of every element. */
function swap(bytes: Uint8Array, size: number): void {
  if (size === 1) return;
  for (let at = 0; at < bytes.length; at += size) {
    for (let low = at, high = at + size - 1; low < high; low++, high--) {
      const byte = bytes[low]!;
      bytes[low] = bytes[high]!;
      bytes[high] = byte;
    }
  }
}

const CHARACTER_BYTES = 4;
const NAT = -(2n ** 63n);
const DAY_MAX = 2n ** 31n - 1n;

function chunkOf(
  file: string,
  rows: number,
  bytes: Uint8Array<ArrayBuffer>,
  { name, element, bytes: size }: NpyColumn,
): Chunk {
  const base = { name, rows, nulls: 0, validity: null };
  switch (element.as) {
    case "number":
      return { ...base, values: arrayOver(element.type, bytes) as ValueArray };
    case "boolean":
      return { ...base, values: bytes.map((byte) => (byte === 0 ? 0 : 1)) };
    case "time":
    case "day": {
      const ticks = new BigInt64Array(bytes.buffer, bytes.byteOffset, rows);
      const nulls = new Nulls();
      for (let i = 0; i < rows; i++) if (ticks[i] === NAT) nulls.mark(i);
      const values = element.as === "time" ? ticks : daysOf(file, name, ticks);
      return { ...base, nulls: nulls.count, validity: nulls.finish(rows), values };
    }
    case "bytes":
    case "characters":
      return stringsOf(name, rows, bytes, size, element.as);
    case "refused":
      throw new Error(`the column ${name} cannot be read`);
  }
}

/** Days as 32-bit integers, which span 5.8 million years. The day of a null is 0. */
function daysOf(file: string, name: string, ticks: BigInt64Array): Int32Array {
  const days = new Int32Array(ticks.length);
  ticks.forEach((day, i) => {
    if (day === NAT) return;
    if (day > DAY_MAX || day < -DAY_MAX)
      throw damaged(file, `expected days of 32 bits in column ${name} but found ${day}`);
    days[i] = Number(day);
  });
  return days;
}

/** Decodes texts of a fixed size, which zeros fill up. */
function stringsOf(
  name: string,
  rows: number,
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  form: "bytes" | "characters",
): Chunk {
  const builder = new StringBuilder(name);
  for (let i = 0; i < rows; i++) {
    const text = bytes.subarray(i * size, (i + 1) * size);
    builder.add(form === "bytes" ? latin1(text).replace(/\0+$/, "") : charactersOf(text));
  }
  return builder.finish();
}

/** Decodes ISO 8859-1. The platform's decoder of this name decodes windows-1252. */
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function charactersOf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const code = view.getUint32(at, true);
    text += String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
  }
  return text.replace(/\0+$/, "");
}
