import { copyBits, countBits, type Values } from "../../lib/bytes/index.ts";
import type { ColumnTask, PageTask } from "../task.ts";
import { readIndices } from "./hybrid.ts";
import { gather, type NumberArray, spread } from "./numbers.ts";
import { checkIndex, checkRows, isCoded, PageReader } from "./page-reader.ts";

/** Decodes the pages of a column. */
export function decodeColumn(column: ColumnTask): Values {
  const decoder = new ColumnDecoder(column);
  for (const page of column.pages) decoder.add(page);
  return decoder.finish();
}

class ColumnDecoder {
  readonly #reader: PageReader;
  readonly #out: NumberArray;
  #rows = 0;
  #isNullable = false;

  constructor(column: ColumnTask) {
    this.#reader = new PageReader(column);
    this.#out = this.#reader.array(this.#reader.rows);
  }

  /** Decodes a page after those before. */
  add(page: PageTask): void {
    const reader = this.#reader;
    const at = this.#rows;
    const { cursor, present } = reader.open(page, at);
    if (present > 0) {
      if (isCoded(page)) {
        const { dictionary, width } = reader.indices(cursor);
        const indices = new Uint32Array(present);
        checkIndex(readIndices(cursor, width, present, indices), dictionary);
        gather(dictionary.values, indices, present, this.#out, at);
      } else reader.readPlain(cursor, page.encoding, present, this.#out, at);
    }
    if (present < page.values) {
      this.#isNullable = true;
      spread(this.#out, at, page.values, present, reader.bits);
    }
    this.#rows += page.values;
  }

  /** Returns the rows that the batch takes. */
  finish(): Values {
    checkRows(this.#reader);
    const { strings, bits: all, column } = this.#reader;
    const { skip, rows } = column;
    const out = this.#out;
    // A slice only if other rows lie around it, so that no memory of them stays.
    const taken = skip === 0 && rows === out.length ? out : (out.slice(skip, skip + rows) as NumberArray);
    let bits: Uint8Array<ArrayBuffer> | null = null;
    let nulls = 0;
    if (this.#isNullable) {
      nulls = rows - countBits(all, skip, rows);
      if (nulls > 0) {
        bits = new Uint8Array((rows + 7) >> 3);
        copyBits(bits, 0, all, skip, rows);
      }
    }
    if (strings === null)
      return { nulls, bits, values: taken as Values["values"], codes: null, dictionary: null };
    const codes = taken as Uint32Array<ArrayBuffer>;
    if (bits !== null)
      for (let i = 0; i < rows; i++) if (((bits[i >> 3]! >> (i & 7)) & 1) === 0) codes[i] = 0;
    return { nulls, bits, values: null, codes, dictionary: strings.strings() };
  }
}
