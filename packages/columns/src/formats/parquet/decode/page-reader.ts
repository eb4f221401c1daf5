import zlib from "node:zlib";
import { countBits, Interned, setBits } from "../../lib/bytes/index.ts";
import { MAX_STRING_BYTES } from "../limits.ts";
import type { ColumnTask, PageTask } from "../task.ts";
import { decompress } from "./codec.ts";
import { type Cursor, readBits, readLevels } from "./hybrid.ts";
import { arrayFor, type NumberArray, readNumbers } from "./numbers.ts";
import { readByteValues } from "./strings.ts";

/** The values of a dictionary, or the codes of its strings. */
export interface Dictionary {
  readonly values: NumberArray;
  readonly length: number;
}

/** Reads the pages of a column up to their values. */
export class PageReader {
  readonly column: ColumnTask;
  /** The different strings of a column of strings. */
  readonly strings: Interned | null;
  readonly dictionary: Dictionary | null;
  /** Validity of the rows of all pages. */
  readonly bits: Uint8Array<ArrayBuffer>;
  /** Rows of all pages. */
  readonly rows: number;

  constructor(column: ColumnTask) {
    this.column = column;
    this.rows = column.pages.reduce((sum, page) => sum + page.values, 0);
    this.strings = column.store === "string" ? new Interned(MAX_STRING_BYTES) : null;
    this.bits = new Uint8Array(column.level > 0 ? (this.rows + 7) >> 3 : 0);
    this.dictionary = column.dictionary === null ? null : this.#readDictionary(column.dictionary);
  }

  /** Creates an array for values, or for codes of strings. */
  array(length: number): NumberArray {
    const { store } = this.column;
    return store === "string" ? new Uint32Array(length) : arrayFor(store, length);
  }

  /** Opens the page whose first row is `at`. Returns a cursor before its values, and their number. */
  open(page: PageTask, at: number): { readonly cursor: Cursor; readonly present: number } {
    const isV2 = page.kind === "v2";
    const cursor: Cursor = { bytes: this.#body(page, isV2 ? page.levels : 0), at: 0 };
    return { cursor, present: isV2 ? this.#levelsV2(page, at) : this.#levelsV1(page, cursor, at) };
  }

  /** Returns the dictionary and the width of the indices that follow. */
  indices(cursor: Cursor): { readonly dictionary: Dictionary; readonly width: number } {
    if (this.dictionary === null) throw new Error("a page needs a dictionary that the column lacks");
    const width = cursor.bytes[cursor.at++];
    if (width === undefined) throw new Error("a page ends before its indices");
    return { dictionary: this.dictionary, width };
  }

  /** Reads values that are no indices. Strings become codes. */
  readPlain(cursor: Cursor, encoding: string, count: number, out: NumberArray, at: number): void {
    const { strings, column } = this;
    if (strings === null) {
      readNumbers(cursor, column, encoding, count, out.subarray(at, at + count));
      return;
    }
    readByteValues(cursor, encoding, count, column.typeLength, (i, bytes, start, end) => {
      out[at + i] = strings.codeOf(bytes, start, end);
    });
  }

  #readDictionary(page: PageTask): Dictionary {
    const values = this.array(page.values);
    const bytes = this.#body(page, 0);
    this.readPlain({ bytes, at: 0 }, "PLAIN", page.values, values, 0);
    return { values, length: page.values };
  }

  /** Returns the bytes of a page after its levels, decompressed, and checks their checksum. */
  #body(page: PageTask, from: number): Uint8Array {
    const { codec, bytes } = this.column;
    const stored = bytes.subarray(page.start, page.end);
    // Node has it from 22.2 on.
    const crc32 = zlib.crc32 as typeof zlib.crc32 | undefined;
    if (page.crc !== null && crc32 !== undefined && crc32(stored) !== page.crc >>> 0) {
      throw new Error("the checksum of a page does not match its bytes");
    }
    // Some writers store nothing for a page of nulls, which is no block of the codec.
    if (page.size === from) return new Uint8Array(0);
    return decompress(page.compressed ? codec : "UNCOMPRESSED", stored.subarray(from), page.size - from);
  }

  /** Levels at the start of the decompressed page, after their length. Returns the number of values. */
  #levelsV1(page: PageTask, cursor: Cursor, at: number): number {
    if (this.column.level === 0) return page.values;
    if (page.levelEncoding !== "RLE")
      throw new Error(`the encoding ${page.levelEncoding} of levels is unknown`);
    const { bytes } = cursor;
    if (bytes.length < 4) throw new Error("a page ends inside the length of its levels");
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (4 + length > bytes.length)
      throw new Error(`a page of ${bytes.length} bytes states ${length} bytes of levels`);
    this.#bits({ bytes: bytes.subarray(4, 4 + length), at: 0 }, page.values, at);
    cursor.at = 4 + length;
    return countBits(this.bits, at, page.values);
  }

  /** Reads levels as bits: 1 for a value, 0 for a null. */
  #bits(cursor: Cursor, count: number, at: number): void {
    const { level } = this.column;
    if (level === 1) readBits(cursor, count, this.bits, at);
    else readLevels(cursor, level, count, this.bits, at);
  }

  /** Levels before the compressed part. Returns the number of values. */
  #levelsV2(page: PageTask, at: number): number {
    if (this.column.level === 0) return page.values;
    const bytes = this.column.bytes.subarray(page.start + page.repetition, page.start + page.levels);
    if (bytes.length === 0 && page.nulls === 0) setBits(this.bits, at, page.values);
    else if (bytes.length > 0) this.#bits({ bytes, at: 0 }, page.values, at);
    const present = countBits(this.bits, at, page.values);
    if (present !== page.values - page.nulls) {
      throw new Error(`a page states ${page.nulls} nulls but has ${page.values - present}`);
    }
    return present;
  }
}

/** Whether a page holds indices into the dictionary. */
export function isCoded({ encoding }: PageTask): boolean {
  return encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY";
}

/** @throws Error if an index is outside of the dictionary. */
export function checkIndex(most: number, { length }: Dictionary): void {
  if (most >= length) throw new Error(`a page holds the index ${most} into a dictionary of ${length} values`);
}

/** @throws Error if the pages hold fewer rows than the batch takes. */
export function checkRows({ column: { skip, rows }, rows: all }: PageReader): void {
  if (skip + rows > all) throw new Error(`the pages hold ${all - skip} rows instead of ${rows}`);
}
