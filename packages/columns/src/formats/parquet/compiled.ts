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
import { type Counted, readers, type Values } from "../lib/bytes/index.ts";
import { type NumberArray, unwrittenFor } from "./decode/numbers.ts";
import { MIN_REPEATS } from "./limits.ts";
import type { BatchTask, ColumnTask, PageTask } from "./task.ts";

const CODECS: Readonly<Record<string, PageCodec>> = { UNCOMPRESSED: "none", SNAPPY: "snappy", ZSTD: "zstd" };
const ENCODINGS: Readonly<Record<string, PageEncoding>> = {
  PLAIN: "plain",
  PLAIN_DICTIONARY: "coded",
  RLE_DICTIONARY: "coded",
  BYTE_STREAM_SPLIT: "split",
  RLE: "runs",
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
): Promise<(Values | Counted | null)[]> {
  const { parquetReader } = await readers();
  const reader = parquetReader();
  if (reader === null) return columns.map(() => null);
  if (threads > 0) return Promise.all(columns.map((column, i) => read(reader, column, counted[i]!, threads)));
  const all: (Values | Counted | null)[] = [];
  for (const [i, column] of columns.entries()) {
    await breath();
    all.push(await read(reader, column, counted[i]!, 0));
  }
  return all;
}

async function read(
  reader: ParquetReader,
  column: ColumnTask,
  isCounted: boolean,
  threads: number,
): Promise<Values | Counted | null> {
  const { bytes, rows, store } = column;
  const request = store === "string" ? null : requestOf(column, isCounted, threads);
  if (request === null || store === "string") return null;
  const { taken, dictionary } = request;
  const coded = taken === "counts" ? dictionary!.values : 0;
  const values = unwrittenFor(store, rows + coded);
  const bits = new Uint8Array(column.optional && !isCounted ? (rows + 7) >> 3 : 0);
  // Booleans have two counts.
  const counts = new Uint32Array(isCounted ? Math.max(coded, 2) : 0);
  const memory = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const found = await reader.read(bytes, request, { values: memory, bits, counts });
  if (found === null) return null;
  if (isCounted) return countedOf(found, values, counts);
  const [, , nulls] = found;
  return {
    ...{ nulls, bits: nulls > 0 ? bits : null, values: values as ValueArray },
    ...{ codes: null, dictionary: null },
  };
}

function countedOf(
  [length, counted, nulls]: NonNullable<PagesFound>,
  values: NumberArray,
  counts: Uint32Array<ArrayBuffer>,
): Counted {
  // Few values do not keep the memory of many.
  const own = 2 * length < values.length ? values.slice(0, length) : values.subarray(0, length);
  return { nulls, values: own as ValueArray, counts: counts.slice(0, counted) };
}

/** Returns what compiled code reads of a column, or null if it does not read one of its pages. */
function requestOf(column: ColumnTask, isCounted: boolean, threads: number): PagesRequest | null {
  const codec = CODECS[column.codec];
  const layout = layoutOf(column);
  const { optional, skip, rows, bytes } = column;
  if (codec === undefined || layout === null || bytes.length > MOST_BYTES) return null;
  const pages = column.pages.map((page) => pageOf(page, column));
  const dictionary = column.dictionary === null ? null : pageOf(column.dictionary, column);
  if (pages.includes(null) || (column.dictionary !== null && dictionary === null)) return null;
  const own = pages as ParquetPage[];
  const coded = own.reduce((sum, { encoding, values }) => sum + (encoding === "coded" ? values : 0), 0);
  const repeats = dictionary !== null && coded >= MIN_REPEATS * dictionary.values;
  // Memory for a dictionary is taken only if its page may hold the values.
  const stored = layout === "bytes8" ? 8 : 4;
  if (dictionary !== null && (layout === "boolean" || dictionary.size < stored * dictionary.values))
    return null;
  const taken = !isCounted ? "rows" : repeats ? "counts" : "values";
  return { codec, layout, taken, optional, dictionary, pages: own, skip, rows, threads };
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
    default:
      return null;
  }
}

function pageOf(page: PageTask, { bytes, optional, physical }: ColumnTask): ParquetPage | null {
  const encoding = ENCODINGS[page.encoding];
  if (encoding === undefined || (encoding === "runs" && physical !== "BOOLEAN")) return null;
  if (page.kind === "v1" && optional && page.levelEncoding !== "RLE") return null;
  // Node has it from 22.2 on.
  const crc32 = zlib.crc32 as typeof zlib.crc32 | undefined;
  const { crc, start, end, size, values, levels, nulls, compressed } = page;
  if (crc !== null && crc32 !== undefined && crc32(bytes.subarray(start, end)) !== crc >>> 0) return null;
  return { page: page.kind, encoding, start, end, size, values, levels, nulls, compressed };
}
