import { isUtf8 } from "node:buffer";
import { loadedOnce } from "@polybin/core/backend";
import type { CsvColumn, CsvValues, ReadCsv } from "@polybin/native/csv";
import type { Chunk, LogicalType, ValueArray } from "../../table/index.ts";
import type { TextAnswer } from "../lib/text/index.ts";
import { builderOf, valuesIn } from "../lib/values/index.ts";
import type { CsvTask } from "./decode.ts";
import { nullsOf } from "./nulls.ts";

/** The compiled reader. Null without an addon, as in a page. */
const reader = loadedOnce(
  async (): Promise<ReadCsv | null> => (await import("@polybin/native/csv")).csvReader(),
);

const LINE_FEED = 0x0a;
/** The longest text of a null that the reader takes, and the texts that mean the same in both encodings. */
const NULL_TEXT = /^[\0-\x7f]{0,255}$/;

/**
 * Decodes a piece with compiled code. Texts that it does not read exactly, it leaves to the builders of columns.
 * @param threads 0: the calling thread decodes.
 * @returns null if `decode` must read the piece: the reader is missing, or the piece has something that is rare or wrong
 */
export async function decodeCompiled(task: CsvTask, threads: number): Promise<TextAnswer | null> {
  const { bytes, separator, quote, newline, width, nulls, encoding } = task;
  const columns = task.columns.map(({ index, type }) => storedOf(index, type));
  // papaparse takes a quotation mark for no separator.
  if (newline !== LINE_FEED || separator === quote || separator === '"' || columns.includes(null)) return null;
  const read = await reader();
  if (read === null) return null;
  const texts = [...nullsOf({ kind: "boolean" }, nulls)].filter((text) => NULL_TEXT.test(text));
  const found = await read(bytes, {
    ...{ separator, quote, width, threads, nulls: texts },
    columns: columns as CsvColumn[],
  });
  if (found === null) return null;
  const [isAscii, rows, ...own] = found;
  if (!isAscii && encoding === "utf-8" && !isUtf8(bytes)) return null;
  const chunks: Chunk[] = [];
  for (const [i, column] of own.entries()) {
    const chunk = chunkOf(task, i, rows, column);
    if (chunk === null) return null;
    chunks.push(chunk);
  }
  return { rows, columns: chunks };
}

/** How the reader stores a column, or null if it does not. */
function storedOf(index: number, type: LogicalType): CsvColumn | null {
  switch (type.kind) {
    case "number":
      return type.type === "f16" ? null : { index, stored: type.type };
    case "boolean":
      return { index, stored: "boolean" };
    case "date":
      return { index, stored: "date" };
    case "timestamp":
      return { index, stored: "time", digits: DIGITS[type.unit], zone: type.timezone !== null };
    default:
      return null;
  }
}

const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 } as const;

/** Makes a chunk of a column, and adds the values that the reader left. Returns null if one of them does not fit. */
function chunkOf(
  task: CsvTask,
  at: number,
  rows: number,
  [memory, nulls, valid, left]: CsvValues,
): Chunk | null {
  const { name, type } = task.columns[at]!;
  const values = valuesIn(type, memory);
  const bits = valid === null ? null : new Uint8Array(valid);
  const unread = new Uint32Array(left);
  const chunk = { name, rows, nulls, validity: bits === null ? null : { bits }, values };
  return unread.length === 0 ? chunk : addUnread(chunk, unread, task, at);
}

interface NumbersChunk {
  readonly name: string;
  readonly rows: number;
  readonly nulls: number;
  readonly validity: { readonly bits: Uint8Array } | null;
  readonly values: ValueArray;
}

/** Words of a text that the reader left: its row, and its first and last offset. */
const UNREAD_WORDS = 3;

/** Adds the values of texts that the reader left to a chunk. Returns null if one does not fit the column's type. */
function addUnread(
  { name, rows, nulls, validity, values }: NumbersChunk,
  unread: Uint32Array,
  task: CsvTask,
  at: number,
): NumbersChunk | null {
  const { index, type } = task.columns[at]!;
  const texts = nullsOf(type, task.nulls);
  const decoder = new TextDecoder(task.encoding, { ignoreBOM: true });
  const builder = builderOf(name, type);
  let missing = nulls;
  let bits = validity?.bits ?? null;
  const filled: number[] = [];
  for (let i = 0; i < unread.length; i += UNREAD_WORDS) {
    const [row, from, to] = unread.subarray(i, i + UNREAD_WORDS) as unknown as [number, number, number];
    const text = fieldOf(decoder.decode(task.bytes.subarray(from, to)), task, index);
    if (texts.has(text)) {
      bits ??= allValid(rows);
      bits[row >> 3]! &= ~(1 << (row & 7));
      missing++;
    } else {
      if (!builder.add(text)) return null;
      filled.push(row);
    }
  }
  const chunk = builder.finish();
  if (!("values" in chunk)) return null;
  for (const [i, row] of filled.entries()) (values as { [row: number]: unknown })[row] = chunk.values[i]!;
  return { name, rows, nulls: missing, validity: bits === null ? null : { bits }, values };
}

/** Returns the text of a field, without quotation marks around it. */
function fieldOf(raw: string, { quote, width }: CsvTask, index: number): string {
  const text =
    quote !== null && raw.startsWith(quote)
      ? raw.slice(1, raw.lastIndexOf(quote)).replaceAll(quote + quote, quote)
      : raw;
  return index === width - 1 && text.endsWith("\r") ? text.slice(0, -1) : text;
}

function allValid(rows: number): Uint8Array {
  const bits = new Uint8Array((rows + 7) >> 3).fill(0xff);
  if (rows & 7) bits[bits.length - 1] = (1 << (rows & 7)) - 1;
  return bits;
}
