import { loadedOnce } from "@polybin/core/backend";
import type { CsvColumn, CsvFound, CsvRequest, CsvValues } from "@polybin/native/csv";
import type { Chunk, CodesChunk, LogicalType, ValuesChunk } from "../../table/index.ts";
import type { Compiled, Encoding, TextAnswer } from "../lib/text/index.ts";
import { builderOf, FORMS, type TextForms, textChunk, valuesIn } from "../lib/values/index.ts";
import type { CsvTask } from "./decode.ts";
import type { Dialect } from "./fields.ts";
import { nullsOf } from "./nulls.ts";

/** The package of the compiled reader. Its reader is null without an addon, as in a page. */
const native = loadedOnce(async () => {
  const { csvReader, CSV_MOST_BYTES } = await import("@polybin/native/csv");
  return { reader: csvReader(), mostBytes: CSV_MOST_BYTES };
});

/** How a read is shared by threads. */
interface Sharing {
  /** Offset of the first record. */
  readonly start: number;
  readonly partBytes: number;
  /** 0: the calling thread decodes. */
  readonly threads: number;
}

type Columns = Omit<CsvTask, "bytes">;

const LINE_FEED = 0x0a;
/** The nulls that the reader takes. Others are texts that it leaves. */
const NULL_TEXT = /^[\0-\x7f]{0,255}$/;
/** A type for each list of nulls: one of values, and one of texts. */
const NULL_TYPES: readonly LogicalType[] = [{ kind: "boolean" }, { kind: "string" }];

/**
 * Returns the compiled decoder of some columns. It leaves texts that it does not read exactly to the builders of columns,
 * and pieces with anything that is rare or wrong to `decode`.
 * @returns null if the reader is missing, or does not read these columns
 */
export async function compiledOf(
  of: Columns,
  { start, partBytes, threads }: Sharing,
): Promise<Compiled | null> {
  const { separator, quote, newline, width, encoding } = of;
  const columns = of.columns.map(({ index, type }) => storedOf(index, type));
  // papaparse takes a quotation mark for no separator. An empty file has no columns.
  const isPlain = newline === LINE_FEED && separator !== quote && separator !== '"' && width > 0;
  const isUsual =
    of.escape === null && of.comment === null && of.columns.every(({ type }) => isUsualType(type, of.forms));
  if (!isPlain || !isUsual || columns.includes(null)) return null;
  const [nulls, textNulls] = NULL_TYPES.map((type) => [...nullsOf(type, of.nulls)]) as [string[], string[]];
  // The reader leaves texts to the builders only in columns of other types.
  const hasText = of.columns.some(({ type }) => type.kind === "string");
  if (hasText && !textNulls.every((text) => NULL_TEXT.test(text))) return null;
  const { reader, mostBytes } = await native();
  if (reader === null || partBytes > mostBytes) return null;
  const request: CsvRequest = {
    ...{ separator, quote, width, threads, isUtf8: encoding === "utf-8" },
    columns: columns as CsvColumn[],
    nulls: nulls.filter((text) => NULL_TEXT.test(text)),
    textNulls: hasText ? textNulls : [],
  };
  return {
    decode: async (bytes) => answerOf(of, await reader.read(bytes, request)),
    async decodePart(descriptor, size, part) {
      const [offset, bytes, isCut, found] = await reader.readPart(
        { descriptor, start, size, partBytes, part },
        request,
      );
      return { offset, bytes, isCut, answer: answerOf(of, found) };
    },
  };
}

/**
 * Returns the different texts of each column, in the order in which they occur in the first records. Empty lines are none.
 * @returns null if there is no compiled reader, or the records have anything that is rare or wrong
 */
export async function textsIn(
  bytes: Uint8Array,
  of: Dialect & Pick<CsvTask, "width" | "encoding">,
  mostRecords: number,
): Promise<readonly Iterable<string>[] | null> {
  const columns = Array.from({ length: of.width }, (_, index): Columns["columns"][number] => ({
    ...{ index, name: "", type: { kind: "string" } },
  }));
  const task = { ...of, columns, nulls: [], forms: FORMS, skipsBadRows: false };
  const compiled = await compiledOf(task, { start: 0, partBytes: 1, threads: 0 });
  // Empty lines are records, too, where records are counted.
  if (compiled === null || (hasLines(bytes, mostRecords) && hasEmptyLine(bytes))) return null;
  const answer = await compiled.decode(new Uint8Array(bytes));
  if (answer === null || "fault" in answer) return null;
  return answer.columns.map((chunk) => {
    if ("strings" in chunk) return chunk.strings.slice(0, mostRecords) as string[];
    const { codes, dictionary } = chunk as CodesChunk;
    // Texts are numbered in the order in which they occur.
    return dictionary.slice(
      0,
      codes.subarray(0, mostRecords).reduce((most, code) => Math.max(most, code), -1) + 1,
    );
  });
}

/** Whether bytes have this number of lines. */
function hasLines(bytes: Uint8Array, most: number): boolean {
  let at = 0;
  for (let lines = 0; lines < most; lines++) {
    at = bytes.indexOf(LINE_FEED, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function hasEmptyLine(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return all[0] === LINE_FEED || all[0] === 0x0d || all.includes("\n\n") || all.includes("\n\r\n");
}

/** Whether the texts of a type have the forms that the reader knows. */
function isUsualType(type: LogicalType, { decimal, dateFormat }: TextForms): boolean {
  if (type.kind === "number") return decimal === FORMS.decimal;
  return dateFormat === null || (type.kind !== "date" && type.kind !== "timestamp");
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
    case "string":
      return { index, stored: "text" };
    default:
      return null;
  }
}

const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 } as const;

function answerOf(of: Columns, found: CsvFound): TextAnswer | null {
  if (found === null) return null;
  const [rows, ...own] = found;
  const columns: Chunk[] = [];
  for (const [i, column] of own.entries()) {
    const chunk = chunkOf(of, i, rows, column);
    if (chunk === null) return null;
    columns.push(chunk);
  }
  return { rows, columns };
}

/** Makes the chunk of a column, and adds the values that the reader left. Returns null if one of them does not fit. */
function chunkOf(
  of: Columns,
  at: number,
  rows: number,
  [memory, nulls, valid, unread, texts]: CsvValues,
): Chunk | null {
  const { name, type } = of.columns[at]!;
  const validity = valid === null ? null : { bits: new Uint8Array(valid) };
  if (type.kind === "string") {
    const dictionary = textsOf(texts, new Uint32Array(unread), of.encoding);
    return textChunk({ name, rows, nulls, validity, codes: new Uint32Array(memory), dictionary });
  }
  const values = valuesIn(type, memory);
  const chunk: ValuesChunk = { name, rows, nulls, validity, values };
  if (unread.byteLength === 0) return chunk;
  return addUnread(chunk, { places: new Uint32Array(unread), texts: new Uint8Array(texts) }, of, at);
}

/** Returns texts that lie one after another. */
function textsOf(bytes: ArrayBuffer, ends: Uint32Array, encoding: Encoding): string[] {
  const all = Buffer.from(bytes);
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  let from = 0;
  return Array.from(ends, (end) => {
    const start = from;
    from = end;
    return encoding === "utf-8" ? all.toString("utf8", start, end) : decoder.decode(all.subarray(start, end));
  });
}

/** Texts that the reader left: the row of each, and where it ends. */
interface Unread {
  readonly places: Uint32Array;
  readonly texts: Uint8Array;
}

function addUnread(
  chunk: ValuesChunk,
  { places, texts }: Unread,
  of: Columns,
  at: number,
): ValuesChunk | null {
  const { index, name, type } = of.columns[at]!;
  const { rows, values } = chunk;
  const nulls = nullsOf(type, of.nulls);
  const decoder = new TextDecoder(of.encoding, { ignoreBOM: true });
  const builder = builderOf(name, type, of.forms);
  let missing = chunk.nulls;
  let bits = chunk.validity?.bits ?? null;
  const filled: number[] = [];
  let from = 0;
  for (let i = 0; i < places.length; i += 2) {
    const [row, end] = [places[i]!, places[i + 1]!];
    const text = fieldOf(decoder.decode(texts.subarray(from, end)), of, index);
    from = end;
    if (nulls.has(text)) {
      bits ??= allValid(rows);
      bits[row >> 3]! &= ~(1 << (row & 7));
      missing++;
    } else {
      if (!builder.add(text)) return null;
      filled.push(row);
    }
  }
  const added = builder.finish() as ValuesChunk;
  for (const [i, row] of filled.entries()) (values as { [row: number]: unknown })[row] = added.values[i];
  return { name, rows, nulls: missing, validity: bits === null ? null : { bits }, values };
}

/** Returns the text of a field, without quotation marks around it. */
function fieldOf(raw: string, { quote, width }: Columns, index: number): string {
  const text =
    quote !== null && raw.startsWith(quote)
      ? raw.slice(1, raw.lastIndexOf(quote)).replaceAll(quote + quote, quote)
      : raw;
  return index === width - 1 && text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** One bit per row. Bits after the last row are 0. */
function allValid(rows: number): Uint8Array {
  const bits = new Uint8Array((rows + 7) >> 3).fill(0xff);
  if (rows & 7) bits[bits.length - 1] = (1 << (rows & 7)) - 1;
  return bits;
}
