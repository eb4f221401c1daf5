import zlib from "node:zlib";
import type {
  Layout,
  PageCodec,
  PageEncoding,
  PagesFound,
  PagesRequest,
  ParquetPage,
  ParquetReader,
} from "@polybin/native/readers";
import { breath } from "../../pool/index.ts";
import type { ValueArray } from "../../table/index.ts";
import { type Counted, readers, stringsOf, type Values } from "../lib/bytes/index.ts";
import { arrayIn, type NumberArray } from "./decode/numbers.ts";
import { MIN_REPEATS } from "./limits.ts";
import type { Memory } from "./memory.ts";
import type { BatchTask, ColumnTask, PageTask, Physical } from "./task.ts";

const CODECS: Readonly<Record<string, PageCodec>> = {
  UNCOMPRESSED: "none",
  SNAPPY: "snappy",
  ZSTD: "zstd",
  GZIP: "gzip",
  BROTLI: "brotli",
  LZ4_RAW: "lz4",
};
const ENCODINGS: Readonly<Record<string, PageEncoding>> = {
  PLAIN: "plain",
  PLAIN_DICTIONARY: "coded",
  RLE_DICTIONARY: "coded",
  BYTE_STREAM_SPLIT: "split",
  RLE: "runs",
  DELTA_BINARY_PACKED: "deltas",
  DELTA_LENGTH_BYTE_ARRAY: "lengths",
  DELTA_BYTE_ARRAY: "prefixes",
};
/** Types whose values alone are stored that way. */
const ONLY: Partial<Record<PageEncoding, readonly Physical[]>> = {
  runs: ["BOOLEAN"],
  deltas: ["INT32", "INT64"],
  lengths: ["BYTE_ARRAY"],
  prefixes: ["BYTE_ARRAY"],
};
/** Bytes of a column that the numbers of its pages can name. */
const MOST_BYTES = 0xffff_ffff;

/**
 * Decodes the columns of a batch by compiled code, on its threads, or on the calling one for 0. A column is null if it is
 * rare or damaged: `decode` reads it, or says what is wrong.
 */
export async function decodeCompiled(
  { columns, counted }: BatchTask,
  threads: number,
  memory: Memory,
): Promise<(Values | Counted | null)[]> {
  const { parquetReader } = await readers();
  const reader = parquetReader();
  if (reader === null) return columns.map(() => null);
  const one = (column: ColumnTask, i: number) => read(reader, column, counted[i]!, { threads, memory });
  if (threads > 0) return Promise.all(columns.map(one));
  const all: (Values | Counted | null)[] = [];
  for (const [i, column] of columns.entries()) {
    await breath();
    all.push(await one(column, i));
  }
  return all;
}

async function read(
  reader: ParquetReader,
  column: ColumnTask,
  isCounted: boolean,
  { threads, memory }: { readonly threads: number; readonly memory: Memory },
): Promise<Values | Counted | null> {
  const { bytes, rows, store } = column;
  const request = requestOf(column, isCounted, threads);
  if (request === null) return null;
  const { taken, dictionary } = request;
  const coded = taken === "counts" ? dictionary!.values : 0;
  const values = arrayIn(memory, store === "string" ? "u32" : store, rows + coded);
  const bits = zerosIn(memory, Uint8Array, column.level > 0 && !isCounted ? (rows + 7) >> 3 : 0);
  // Booleans have two counts.
  const counts = zerosIn(memory, Uint32Array, isCounted ? Math.max(coded, 2) : 0);
  const to = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const found = await reader.read(bytes, request, { values: to, bits, counts });
  const texts = found === null ? null : textsOf(found);
  const isRead = found !== null && (store !== "string" || texts !== null);
  const result = !isRead
    ? null
    : isCounted
      ? countedOf(found, texts, values, counts, memory)
      : rowsOf(found, texts, values, bits);
  for (const { buffer } of [values, bits, counts])
    if (!arraysOf(result).some((array) => array.buffer === buffer)) memory.give(buffer as ArrayBuffer);
  return result;
}

function zerosIn<A extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  memory: Memory,
  Type: { new (of: ArrayBuffer, at: number, length: number): A; readonly BYTES_PER_ELEMENT: number },
  length: number,
): A {
  const zeros = new Type(memory.take(length * Type.BYTES_PER_ELEMENT), 0, length);
  zeros.fill(0);
  return zeros;
}

type Found = NonNullable<PagesFound>;

/** Returns the different texts that were found. Null: there are none, or they are not UTF-8, which `decode` says. */
function textsOf([, , , ends, texts]: Found): string[] | null {
  if (ends === undefined || texts === undefined) return null;
  try {
    return stringsOf(new Uint8Array(texts), new Uint32Array(ends));
  } catch {
    return null;
  }
}

function rowsOf(
  [, , nulls]: Found,
  texts: readonly string[] | null,
  values: NumberArray,
  bits: Uint8Array<ArrayBuffer>,
): Values {
  const base = { nulls, bits: nulls > 0 ? bits : null };
  return texts === null
    ? { ...base, values: values as ValueArray, codes: null, dictionary: null }
    : { ...base, values: null, codes: values as Uint32Array<ArrayBuffer>, dictionary: texts };
}

function countedOf(
  [length, counted, nulls, , , all]: Found,
  texts: readonly string[] | null,
  values: NumberArray,
  counts: Uint32Array<ArrayBuffer>,
  memory: Memory,
): Counted {
  if (texts !== null) {
    const own = new Uint32Array(all!);
    return {
      nulls,
      values: texts.filter((_, code) => own[code]! > 0),
      counts: own.filter((count) => count > 0),
    };
  }
  return {
    nulls,
    values: fitting(values, length, memory) as ValueArray,
    counts: fitting(counts, counted, memory) as Uint32Array<ArrayBuffer>,
  };
}

/** Returns the first values of an array, or a copy: few values do not keep the memory of many. */
function fitting(values: NumberArray, length: number, memory: Memory): NumberArray {
  const all = values.subarray(0, length);
  if (2 * length >= values.length) return all;
  const Type = values.constructor as ArrayOf;
  const own = new Type(memory.take(length * values.BYTES_PER_ELEMENT), 0, length);
  (own as Uint8Array).set(all as Uint8Array);
  return own;
}

type ArrayOf = new (memory: ArrayBuffer, at: number, length: number) => NumberArray;

/** The arrays of a column in memory that may be used again. */
function arraysOf(read: Values | Counted | null): readonly NumberArray[] {
  if (read === null) return [];
  const arrays = "counts" in read ? [read.values, read.counts] : [read.values, read.codes, read.bits];
  return arrays.filter((array) => ArrayBuffer.isView(array)) as readonly NumberArray[];
}

/** Returns what compiled code reads of a column, or null if it does not read one of its pages. */
function requestOf(column: ColumnTask, isCounted: boolean, threads: number): PagesRequest | null {
  const codec = CODECS[column.codec];
  const layout = layoutOf(column);
  const { level, skip, rows, bytes, typeLength: width } = column;
  if (codec === undefined || layout === null || bytes.length > MOST_BYTES) return null;
  const pages = column.pages.map((page) => pageOf(page, column));
  const dictionary = column.dictionary === null ? null : pageOf(column.dictionary, column);
  if (pages.includes(null) || (column.dictionary !== null && dictionary === null)) return null;
  const read = pages as ParquetPage[];
  const coded = read.reduce((sum, { encoding, values }) => sum + (encoding === "coded" ? values : 0), 0);
  const repeats = dictionary !== null && coded >= MIN_REPEATS * dictionary.values;
  // Memory for a dictionary is taken only if its page may hold the values.
  const stored = layout === "bytes8" ? 8 : layout === "decimal" ? width : 4;
  if (dictionary !== null && (layout === "boolean" || dictionary.size < stored * dictionary.values))
    return null;
  const hasCounts = repeats || (layout === "text" && dictionary !== null);
  const taken = !isCounted ? "rows" : hasCounts ? "counts" : "values";
  return { codec, layout, taken, width, level, dictionary, pages: read, skip, rows, threads };
}

function layoutOf({ physical, store }: ColumnTask): Layout | null {
  switch (physical) {
    case "BOOLEAN":
      return "boolean";
    case "INT64":
    case "DOUBLE":
      return "bytes8";
    case "FLOAT":
      return "bytes4";
    case "INT32":
      if (store === "decimal") return "widened";
      return store === "i32" || store === "u32" ? "bytes4" : (store as Layout);
    case "BYTE_ARRAY":
      return store === "string" ? "text" : null;
    case "FIXED_LEN_BYTE_ARRAY":
      return store === "decimal" ? "decimal" : null;
    case "INT96":
      return "int96";
    default:
      return null;
  }
}

function pageOf(page: PageTask, { bytes, level, physical }: ColumnTask): ParquetPage | null {
  const encoding = ENCODINGS[page.encoding];
  if (encoding === undefined || !(ONLY[encoding]?.includes(physical) ?? true)) return null;
  if (page.kind === "v1" && level > 0 && page.levelEncoding !== "RLE") return null;
  // Node has it from 22.2 on.
  const crc32 = zlib.crc32 as typeof zlib.crc32 | undefined;
  const { crc, start, end, size, values, levels, nulls, compressed } = page;
  if (crc !== null && crc32 !== undefined && crc32(bytes.subarray(start, end)) !== crc >>> 0) return null;
  return { page: page.kind, encoding, start, end, size, values, levels, nulls, compressed };
}
