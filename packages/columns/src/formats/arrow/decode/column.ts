import type { SampleType } from "@polybin/core";
import { arrayOver } from "@polybin/core/backend";
import type { ValueArray } from "../../../table/index.ts";
import { countBits, Interned, setBits, type Values } from "../../lib/bytes/index.ts";
import { MAX_STRING_BYTES } from "../limits.ts";
import { BITS, type ColumnTask, NULL_CODE, type Store } from "../task.ts";
import { decompressed } from "./compression.ts";
import { decimals } from "./decimals.ts";
import { readStrings, readViews } from "./strings.ts";

/** Decodes a column of a record batch, or a piece of it. */
export function decodeColumn(column: ColumnTask): Values {
  const { rows, codec, store } = column;
  const buffers = column.buffers.map((buffer) => (codec === null ? buffer : decompressed(codec, buffer)));
  const { bits, nulls } = validityOf(buffers[0]!, rows);
  const base = { bits, nulls };
  if (store === "utf8" || store === "largeUtf8" || store === "view") {
    const strings = new Interned(MAX_STRING_BYTES);
    const codes = new Uint32Array(rows);
    const put = (row: number, bytes: Uint8Array, start: number, end: number) => {
      codes[row] = strings.codeOf(bytes, start, end);
    };
    if (store === "view") readViews(buffers[1]!, buffers.slice(2), rows, bits, put);
    else {
      const strings = { store, offsets: buffers[1]!, bytes: buffers[2]!, base: column.base };
      readStrings(strings, rows, bits, put);
    }
    return { ...base, values: null, codes, dictionary: strings.strings() };
  }
  const bytes = buffers[1]!;
  const most = Math.ceil((BITS[store]! * rows) / 8);
  if (bytes.length < most) throw new Error(`its values take ${bytes.length} bytes instead of ${most}`);
  const values = valuesOf(store, bytes.subarray(0, most), rows, bits);
  if (column.dictionary === null) return { ...base, values, codes: null, dictionary: null };
  const codes = codesOf(values, column.dictionary, bits);
  return { ...withoutNullCodes(codes, base), values: null, dictionary: [] };
}

/** The validity as the file has it, and the number of nulls in it. */
function validityOf(
  bytes: Uint8Array,
  rows: number,
): { readonly bits: Uint8Array<ArrayBuffer> | null; readonly nulls: number } {
  // Without nulls, it may be absent.
  if (bytes.length === 0) return { bits: null, nulls: 0 };
  const length = (rows + 7) >> 3;
  if (bytes.length < length) throw new Error(`its validity takes ${bytes.length} bytes instead of ${length}`);
  const nulls = rows - countBits(bytes, 0, rows);
  return { bits: nulls === 0 ? null : (bytes.subarray(0, length) as Uint8Array<ArrayBuffer>), nulls };
}

const isSet = (bits: Uint8Array | null, row: number): boolean =>
  bits === null || ((bits[row >> 3]! >> (row & 7)) & 1) === 1;

function valuesOf(store: Store, bytes: Uint8Array, rows: number, bits: Uint8Array | null): ValueArray {
  switch (store) {
    case "boolean": {
      const values = new Uint8Array(rows);
      for (let i = 0; i < rows; i++) values[i] = (bytes[i >> 3]! >> (i & 7)) & 1;
      return values;
    }
    case "decimal32":
    case "decimal64":
    case "decimal128":
    case "decimal256":
      return decimals(bytes, BITS[store]! / 32, rows, (row) => isSet(bits, row));
    default:
      return arrayOver(store as SampleType, bytes);
  }
}

/** Makes the rows null whose value in the dictionary is null. */
function withoutNullCodes(
  codes: Uint32Array<ArrayBuffer>,
  { bits, nulls }: Pick<Values, "bits" | "nulls">,
): Pick<Values, "bits" | "codes" | "nulls"> {
  if (!codes.includes(NULL_CODE)) return { bits, nulls, codes };
  const valid = bits?.slice() ?? new Uint8Array((codes.length + 7) >> 3);
  if (bits === null) setBits(valid, 0, codes.length);
  for (const [i, code] of codes.entries()) {
    if (code !== NULL_CODE) continue;
    codes[i] = 0;
    valid[i >> 3]! &= ~(1 << (i & 7));
  }
  return { bits: valid, nulls: codes.length - countBits(valid, 0, codes.length), codes };
}

/** Turns indices into codes, those of nulls into 0. */
function codesOf(
  indices: ValueArray,
  { size, codes: replaced }: NonNullable<ColumnTask["dictionary"]>,
  bits: Uint8Array | null,
): Uint32Array<ArrayBuffer> {
  const codes = new Uint32Array(indices.length);
  for (let i = 0; i < codes.length; i++) {
    if (!isSet(bits, i)) continue;
    const index = Number(indices[i]);
    // A comparison with a dictionary's size also refuses negative ones.
    if (!(index >= 0 && index < size))
      throw new Error(`it holds the index ${index} into a dictionary of ${size} values`);
    codes[i] = replaced === null ? index : replaced[index]!;
  }
  return codes;
}
