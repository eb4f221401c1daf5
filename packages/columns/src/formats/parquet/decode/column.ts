import zlib from "node:zlib";
import { copyBits, countBits, Interned, setBits, type Values } from "../../lib/bytes/index.ts";
import { MAX_STRING_BYTES } from "../limits.ts";
import type { ColumnTask, PageTask } from "../task.ts";
import { decompress } from "./codec.ts";
import { type Cursor, readBits, readIndices } from "./hybrid.ts";
import { arrayFor, gather, type NumberArray, readNumbers, spread } from "./numbers.ts";
import { readByteValues } from "./strings.ts";

/** The values of a dictionary, or the codes of its strings. */
interface Dictionary {
  readonly values: NumberArray;
  readonly length: number;
}

/** Decodes the pages of a column. */
export function decodeColumn(column: ColumnTask): Values {
  const decoder = new ColumnDecoder(column);
  for (const page of column.pages) decoder.add(page);
  return decoder.finish();
}

class ColumnDecoder {
  readonly #column: ColumnTask;
  readonly #strings: Interned | null;
  readonly #out: NumberArray;
  /** Validity of the rows of all pages. */
  readonly #bits: Uint8Array<ArrayBuffer>;
  readonly #dictionary: Dictionary | null;
  #rows = 0;
  #isNullable = false;

  constructor(column: ColumnTask) {
    this.#column = column;
    const rows = column.pages.reduce((sum, page) => sum + page.values, 0);
    this.#strings = column.store === "string" ? new Interned(MAX_STRING_BYTES) : null;
    this.#out = this.#array(rows);
    this.#bits = new Uint8Array(column.optional ? (rows + 7) >> 3 : 0);
    this.#dictionary = column.dictionary === null ? null : this.#readDictionary(column.dictionary);
  }

  #array(length: number): NumberArray {
    const { store } = this.#column;
    return store === "string" ? new Uint32Array(length) : arrayFor(store, length);
  }

  #readDictionary(page: PageTask): Dictionary {
    const values = this.#array(page.values);
    const bytes = this.#body(page, 0);
    this.#readPlain({ bytes, at: 0 }, "PLAIN", page.values, values, 0);
    return { values, length: page.values };
  }

  /** Returns the bytes of a page after its levels, decompressed, and checks their checksum. */
  #body(page: PageTask, from: number): Uint8Array {
    const { codec, bytes } = this.#column;
    const stored = bytes.subarray(page.start, page.end);
    // Node has it from 22.2 on.
    const crc32 = zlib.crc32 as typeof zlib.crc32 | undefined;
    if (page.crc !== null && crc32 !== undefined && crc32(stored) !== page.crc >>> 0) {
      throw new Error("the checksum of a page does not match its bytes");
    }
    return decompress(page.compressed ? codec : "UNCOMPRESSED", stored.subarray(from), page.size - from);
  }

  /** Decodes a page after those before. */
  add(page: PageTask): void {
    const at = this.#rows;
    const isV2 = page.kind === "v2";
    const cursor: Cursor = { bytes: this.#body(page, isV2 ? page.levels : 0), at: 0 };
    const present = isV2 ? this.#levelsV2(page, at) : this.#levelsV1(page, cursor, at);
    this.#values(page, cursor, present, at);
    if (present < page.values) {
      this.#isNullable = true;
      spread(this.#out, at, page.values, present, this.#bits);
    }
    this.#rows += page.values;
  }

  /** Levels at the start of the decompressed page, after their length. Returns the number of values. */
  #levelsV1(page: PageTask, cursor: Cursor, at: number): number {
    if (!this.#column.optional) return page.values;
    if (page.levelEncoding !== "RLE")
      throw new Error(`the encoding ${page.levelEncoding} of levels is unknown`);
    const { bytes } = cursor;
    if (bytes.length < 4) throw new Error("a page ends inside the length of its levels");
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (4 + length > bytes.length)
      throw new Error(`a page of ${bytes.length} bytes states ${length} bytes of levels`);
    readBits({ bytes: bytes.subarray(4, 4 + length), at: 0 }, page.values, this.#bits, at);
    cursor.at = 4 + length;
    return countBits(this.#bits, at, page.values);
  }

  /** Levels before the compressed part. Returns the number of values. */
  #levelsV2(page: PageTask, at: number): number {
    if (!this.#column.optional) return page.values;
    const bytes = this.#column.bytes.subarray(page.start, page.start + page.levels);
    if (page.levels === 0 && page.nulls === 0) setBits(this.#bits, at, page.values);
    else readBits({ bytes, at: 0 }, page.values, this.#bits, at);
    const present = countBits(this.#bits, at, page.values);
    if (present !== page.values - page.nulls) {
      throw new Error(`a page states ${page.nulls} nulls but has ${page.values - present}`);
    }
    return present;
  }

  #values(page: PageTask, cursor: Cursor, count: number, at: number): void {
    if (count === 0) return;
    if (page.encoding !== "RLE_DICTIONARY" && page.encoding !== "PLAIN_DICTIONARY") {
      this.#readPlain(cursor, page.encoding, count, this.#out, at);
      return;
    }
    const dictionary = this.#dictionary;
    if (dictionary === null) throw new Error("a page needs a dictionary that the column lacks");
    const width = cursor.bytes[cursor.at++];
    if (width === undefined) throw new Error("a page ends before its indices");
    const indices = new Uint32Array(count);
    const most = readIndices(cursor, width, count, indices);
    if (most >= dictionary.length) {
      throw new Error(`a page holds the index ${most} into a dictionary of ${dictionary.length} values`);
    }
    gather(dictionary.values, indices, count, this.#out, at);
  }

  /** Reads values that are no indices. Strings become codes. */
  #readPlain(cursor: Cursor, encoding: string, count: number, out: NumberArray, at: number): void {
    const strings = this.#strings;
    if (strings === null) {
      readNumbers(cursor, this.#column, encoding, count, out, at);
      return;
    }
    let i = at;
    readByteValues(cursor, encoding, count, this.#column.typeLength, (bytes, start, end) => {
      out[i++] = strings.codeOf(bytes, start, end);
    });
  }

  /** Returns the rows that the batch takes. */
  finish(): Values {
    const { skip, rows } = this.#column;
    const out = this.#out;
    if (skip + rows > out.length)
      throw new Error(`the pages hold ${out.length - skip} rows instead of ${rows}`);
    // A slice only if other rows lie around it, so that no memory of them stays.
    const taken = skip === 0 && rows === out.length ? out : (out.slice(skip, skip + rows) as NumberArray);
    let bits: Uint8Array<ArrayBuffer> | null = null;
    let nulls = 0;
    if (this.#isNullable) {
      nulls = rows - countBits(this.#bits, skip, rows);
      if (nulls > 0) {
        bits = new Uint8Array((rows + 7) >> 3);
        copyBits(bits, 0, this.#bits, skip, rows);
      }
    }
    if (this.#strings === null)
      return { nulls, bits, values: taken as Values["values"], codes: null, dictionary: null };
    const codes = taken as Uint32Array<ArrayBuffer>;
    if (bits !== null)
      for (let i = 0; i < rows; i++) if (((bits[i >> 3]! >> (i & 7)) & 1) === 0) codes[i] = 0;
    return { nulls, bits, values: null, codes, dictionary: this.#strings.strings() };
  }
}
