import type { CsvRequest, TextColumn } from "@polybin/native/readers";
import type { CodesChunk, LogicalType } from "../../table/index.ts";
import { readers } from "../lib/bytes/index.ts";
import {
  type Compiled,
  compiledBy,
  compiledReaders,
  HERE,
  type Read,
  type Sharing,
  storedOf,
} from "../lib/text/index.ts";
import { type Builder, FORMS, type TextForms } from "../lib/values/index.ts";
import type { Dialect } from "./fields.ts";
import { nullsOf } from "./nulls.ts";
import type { CsvTask } from "./plain.ts";

type Columns = Omit<CsvTask, "bytes" | "isCompiled">;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The nulls that the reader takes. Others are texts that it leaves. */
const NULL_TEXT = /^[\0-\x7f]{0,255}$/;
/** A type for each list of nulls: one of values, and one of texts. */
const NULL_TYPES: readonly LogicalType[] = [{ kind: "boolean" }, { kind: "string" }];

/**
 * Returns the compiled decoder of some columns. It leaves texts that it does not read exactly to the builders of columns,
 * and pieces with anything that is rare or wrong to `decodePlain`.
 * @param from returns the readers. Default: those of this process
 * @returns null if the reader is missing, or does not read these columns
 */
export async function compiledOf(
  of: Columns,
  sharing: Sharing,
  from: typeof compiledReaders = compiledReaders,
): Promise<Compiled | null> {
  const { separator, quote, newline, width, encoding } = of;
  const columns = of.columns.map(storedOf);
  // papaparse takes a quotation mark for no separator. An empty file has no columns.
  const isPlain = newline === LINE_FEED && separator !== quote && separator !== '"' && width > 0;
  const isUsual =
    of.escape === null && of.comment === null && of.columns.every(({ type }) => isUsualType(type, of.forms));
  if (!isPlain || !isUsual || columns.includes(null)) return null;
  const [nulls, textNulls] = NULL_TYPES.map((type) => [...nullsOf(type, of.nulls)]) as [string[], string[]];
  // The reader leaves texts to the builders only in columns of other types.
  const hasText = of.columns.some(({ type }) => type.kind === "string");
  if (hasText && !textNulls.every((text) => NULL_TEXT.test(text))) return null;
  const [{ TEXT_MOST_BYTES }, found] = await Promise.all([readers(), from()]);
  if (found === null || sharing.partBytes > TEXT_MOST_BYTES) return null;
  const request: CsvRequest = {
    ...{ separator, quote, width, threads: sharing.threads, isUtf8: encoding === "utf-8" },
    columns: columns as TextColumn[],
    nulls: nulls.filter((text) => NULL_TEXT.test(text)),
    textNulls: hasText ? textNulls : [],
  };
  const add = (column: Read, text: string, builder: Builder) => addText(of, column, text, builder);
  return compiledBy(found.csv, request, { encoding, columns: of.columns, add }, sharing);
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
  const columns = Array.from(
    { length: of.width },
    (_, index): Read => ({
      ...{ index, name: "", type: { kind: "string" } },
    }),
  );
  const task = { ...of, columns, nulls: [], forms: FORMS, skipsBadRows: false };
  const compiled = await compiledOf(task, HERE);
  // Empty lines are records, too, where records are counted.
  if (compiled === null || (hasEmptyLine(bytes) && hasLines(bytes, mostRecords))) return null;
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
  if (bytes[0] === CARRIAGE_RETURN) return true;
  for (let start = 0; start < bytes.length; ) {
    if (bytes[bytes[start] === CARRIAGE_RETURN ? start + 1 : start] === LINE_FEED) return true;
    const end = bytes.indexOf(LINE_FEED, start);
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}

/** Adds a text that the reader left. */
function addText(of: Columns, { index, type }: Read, raw: string, builder: Builder): boolean {
  const text = fieldOf(raw, of, index);
  if (!nullsOf(type, of.nulls).has(text)) return builder.add(text);
  builder.addNull();
  return true;
}

/** Whether the texts of a type have the forms that the reader knows. */
function isUsualType(type: LogicalType, { decimal, dateFormat }: TextForms): boolean {
  if (type.kind === "number") return decimal === FORMS.decimal;
  return dateFormat === null || (type.kind !== "date" && type.kind !== "timestamp");
}

/** Returns the text of a field, without quotation marks around it. */
function fieldOf(raw: string, { quote, width }: Columns, index: number): string {
  const text =
    quote !== null && raw.startsWith(quote)
      ? raw.slice(1, raw.lastIndexOf(quote)).replaceAll(quote + quote, quote)
      : raw;
  return index === width - 1 && text.endsWith("\r") ? text.slice(0, -1) : text;
}
