import Papa from "papaparse";
import type { Decoded } from "../../pool/index.ts";
import type { LogicalType } from "../../table/index.ts";
import { decodeText, type Encoding, type TextAnswer } from "../lib/text/index.ts";
import { type Builder, builderOf, memoryOf, misfit } from "../lib/values/index.ts";
import { nullsOf } from "./nulls.ts";

/** The bytes of a piece, and how to read them. */
export interface CsvTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding;
  readonly separator: string;
  readonly quote: string | null;
  readonly newline: number;
  /** Fields per record. */
  readonly width: number;
  readonly columns: readonly { readonly index: number; readonly name: string; readonly type: LogicalType }[];
  readonly nulls: readonly string[] | null;
}

const CARRIAGE_RETURN = 0x0d;

/** The options of papaparse for a dialect. */
type Dialect = Pick<Papa.ParseConfig, "delimiter" | "newline" | "fastMode" | "quoteChar" | "escapeChar">;

/** The characters with a meaning. */
export type DialectOf = Pick<CsvTask, "separator" | "quote" | "newline">;

/** The settings of papaparse for a dialect. It takes a carriage return before a line feed for a part of the last field. */
export function dialect({ separator, quote, newline }: DialectOf): Dialect {
  return {
    delimiter: separator,
    newline: newline === CARRIAGE_RETURN ? "\r" : "\n",
    // Without quotation marks, papaparse splits lines at the separator.
    ...(quote === null ? { fastMode: true } : { quoteChar: quote, escapeChar: quote }),
  };
}

/**
 * Characters that papaparse turns into records at a time. The texts of so few records are freed before the garbage
 * collector copies them, which makes parsing up to twice as fast.
 */
const CHUNK_CHARACTERS = 32_768;

interface Reader {
  readonly index: number;
  readonly name: string;
  readonly type: LogicalType;
  readonly builder: Builder;
  readonly nulls: ReadonlySet<string>;
  /** Characters of the longest null. Most fields are longer, and looking one up would hash it. */
  readonly longest: number;
}

/** A record that does not fit: its index in the piece, and what is wrong. */
interface Misfit {
  readonly record: number;
  readonly message: string;
}

/** Decodes a piece of a CSV file. */
export function decode(task: CsvTask): Decoded<TextAnswer> {
  const text = decodeText(task.bytes, task.encoding, task.newline);
  if (typeof text !== "string") return { value: { fault: text }, transfer: [] };
  const readers = task.columns.map(({ index, name, type }): Reader => {
    const nulls = nullsOf(type, task.nulls);
    const longest = Math.max(-1, ...[...nulls].map(({ length }) => length));
    return { index, name, type, builder: builderOf(name, type), nulls, longest };
  });
  let records = 0;
  let rows = 0;
  let wrong: Misfit | null = null;
  for (const { data, errors } of chunksOf(withoutLastNewline(text, task.quote), task)) {
    const [error] = errors;
    for (let i = 0; i < data.length && wrong === null; i++) {
      const record = data[i]!;
      if (error !== undefined && error.row === i) wrong = { record: records, message: error.message };
      else if (!isBlank(record, task.width)) {
        wrong = addRecord(record, records, task, readers);
        rows++;
      }
      records++;
    }
    if (wrong !== null) break;
  }
  if (wrong !== null) return { value: { fault: locate(text, task, wrong) }, transfer: [] };
  const columns = readers.map(({ builder }) => builder.finish());
  return { value: { rows, columns }, transfer: memoryOf(columns) };
}

/**
 * Parses a text in chunks. Each chunk starts where the last whole record before it ended. A record that is longer than a
 * chunk is parsed again in a chunk of twice the length, so that it is parsed about twice in all.
 */
export function* chunksOf(text: string, of: DialectOf): Generator<Papa.ParseResult<string[]>> {
  const parser = new Papa.Parser(dialect(of));
  let length = CHUNK_CHARACTERS;
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + length);
    const isLast = end === text.length;
    const parsed: Papa.ParseResult<string[]> = parser.parse(text.slice(at, end), 0, !isLast);
    length = parsed.data.length === 0 ? 2 * length : CHUNK_CHARACTERS;
    at = isLast ? end : at + parsed.meta.cursor;
    yield parsed;
  }
}

/** papaparse takes the text after the last newline for a record, and no carriage return after a last quotation mark. */
export function withoutLastNewline(text: string, quote: string | null): string {
  const end = text.replace(/[\r\n]$/, "");
  return quote !== null && end.endsWith(`${quote}\r`) ? end.slice(0, -1) : end;
}

/** Whether a record is an empty line. In a table of one column, an empty line is an empty field. */
export function isBlank(record: readonly string[], width: number): boolean {
  return width > 1 && record.length === 1 && (record[0] === "" || record[0] === "\r");
}

/** Adds the fields of a record to the columns. Returns what is wrong with it, or null. */
function addRecord(
  record: readonly string[],
  index: number,
  { width }: CsvTask,
  readers: readonly Reader[],
): Misfit | null {
  if (record.length !== width) {
    return { record: index, message: `expected ${width} fields but found ${record.length}` };
  }
  for (const { index: column, name, type, builder, nulls, longest } of readers) {
    let field = record[column]!;
    if (column === width - 1 && field.endsWith("\r")) field = field.slice(0, -1);
    if (field.length <= longest && nulls.has(field)) builder.addNull();
    else if (!builder.add(field)) return { record: index, message: misfit(name, type, field) };
  }
  return null;
}

/** Finds the line of a record, by parsing the records before it again. */
function locate(text: string, task: CsvTask, { record, message }: Misfit): { line: number; message: string } {
  const found = { records: 0, start: 0 };
  Papa.parse<string[]>(withoutLastNewline(text, task.quote), {
    ...dialect(task),
    step: ({ meta }, parser) => {
      if (found.records === record) parser.abort();
      else found.start = meta.cursor;
      found.records++;
    },
  });
  const newline = task.newline === CARRIAGE_RETURN ? "\r" : "\n";
  let line = 0;
  for (let at = text.indexOf(newline); at >= 0 && at < found.start; at = text.indexOf(newline, at + 1))
    line++;
  return { line, message };
}
