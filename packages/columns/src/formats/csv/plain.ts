import Papa from "papaparse";
import type { Decoded } from "../../pool/index.ts";
import type { LogicalType } from "../../table/index.ts";
import { decodeText, type Encoding, type Read, type TextAnswer } from "../lib/text/index.ts";
import { type Builder, builderOf, memoryOf, misfit, type TextForms } from "../lib/values/index.ts";
import { type Dialect, MALFORMED, NOT_CLOSED, recordsIn } from "./fields.ts";
import { nullsOf } from "./nulls.ts";

/** The bytes of a piece, and how to read them. */
export interface CsvTask extends Dialect {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding;
  readonly forms: TextForms;
  /** Whether records that do not fit are left out. */
  readonly skipsBadRows: boolean;
  /** Fields per record. */
  readonly width: number;
  readonly columns: readonly Read[];
  readonly nulls: readonly string[] | null;
  /** Whether WebAssembly is to decode it. */
  readonly isCompiled: boolean;
}

const CARRIAGE_RETURN = 0x0d;

/** The options of papaparse for a dialect. */
type Paparsed = Pick<
  Papa.ParseConfig,
  "delimiter" | "newline" | "fastMode" | "quoteChar" | "escapeChar" | "comments"
>;

/** The settings of papaparse for a dialect. It takes a carriage return before a line feed for a part of the last field. */
export function paparsed({ separator, quote, comment, newline }: Dialect): Paparsed {
  return {
    delimiter: separator,
    newline: newline === CARRIAGE_RETURN ? "\r" : "\n",
    // Without quotation marks, papaparse splits lines at the separator.
    ...(quote === null ? { fastMode: true } : { quoteChar: quote, escapeChar: quote }),
    ...(comment !== null && { comments: comment }),
  };
}

/** Whether papaparse reads a dialect exactly. */
const isPaparsed = (of: Dialect): boolean => of.escape === null && of.comment === null;

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

/** Decodes a piece of a CSV file in JavaScript. */
export function decodePlain(task: CsvTask): Decoded<TextAnswer> {
  const text = decodeText(task.bytes, task.encoding, task.newline);
  if (typeof text !== "string") return { value: { fault: text }, transfer: [] };
  const readers = readersOf(task);
  let records = 0;
  let rows = 0;
  let bad = 0;
  let wrong: Misfit | null = null;
  const check = task.skipsBadRows ? checker(task) : null;
  for (const { data, errors } of chunksOf(text, task)) {
    // The first error of a record is what is wrong with it.
    const faults = new Map(errors.toReversed().map((error) => [error.row, messageOf(error)]));
    for (const [i, record] of data.entries()) {
      const fault = faults.get(i);
      let found: string | null = null;
      if (fault !== undefined) found = fault;
      else if (!isBlank(record, task.width)) {
        found = check === null ? addRecord(record, task, readers) : check(record);
        if (found === null) {
          rows++;
          if (check !== null) addRecord(record, task, readers);
        }
      }
      if (found !== null) {
        wrong ??= { record: records, message: found };
        bad++;
        if (check === null) break;
      }
      records++;
    }
    if (wrong !== null && check === null) break;
  }
  const first = wrong === null ? null : locate(text, task, wrong);
  if (first !== null && check === null) return { value: { fault: first }, transfer: [] };
  const columns = readers.map(({ builder }) => builder.finish());
  return {
    value: { rows, columns, ...(first !== null && { bad: { rows: bad, first } }) },
    transfer: memoryOf(columns),
  };
}

function readersOf(task: CsvTask): Reader[] {
  return task.columns.map(({ index, name, type }) => {
    const nulls = nullsOf(type, task.nulls);
    const longest = Math.max(-1, ...[...nulls].map(({ length }) => length));
    return { index, name, type, builder: builderOf(name, type, task.forms), nulls, longest };
  });
}

/** Records that are checked before their values are dropped. */
const CHECKED_RECORDS = 1024;

/** Finds out what is wrong with records, before the builders of the table have half of one. */
function checker(task: CsvTask): (record: readonly string[]) => string | null {
  let readers: Reader[] = [];
  let checked = 0;
  return (record) => {
    if (checked++ % CHECKED_RECORDS === 0) readers = readersOf(task);
    return addRecord(record, task, readers);
  };
}

/** Records of a text, and what is wrong with some of them. */
interface Records {
  readonly data: string[][];
  readonly errors: readonly {
    readonly row?: number | undefined;
    readonly code?: string;
    readonly message: string;
  }[];
}

const messageOf = ({ code, message }: Records["errors"][number]): string =>
  MESSAGES.get(code ?? "") ?? message;

/** Our words for errors of papaparse. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ["MissingQuotes", NOT_CLOSED],
  ["InvalidQuotes", MALFORMED],
]);

/**
 * Parses a text in chunks. Each chunk starts where the last whole record before it ended. A record that is longer than a
 * chunk is parsed again in a chunk of twice the length, so that it is parsed about twice in all.
 */
export function* chunksOf(given: string, of: Dialect): Generator<Records> {
  if (!isPaparsed(of)) {
    yield* otherChunks(given, of);
    return;
  }
  const text = withoutLastNewline(given, of.quote);
  const parser = new Papa.Parser(paparsed(of));
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

/** Records of a chunk in a dialect that papaparse does not read. */
const OTHER_RECORDS = 256;

function* otherChunks(text: string, of: Dialect): Generator<Records> {
  let data: string[][] = [];
  let errors: { row: number; message: string }[] = [];
  for (const { fields, fault } of recordsIn(text, of)) {
    if (fault !== null) errors.push({ row: data.length, message: fault });
    data.push(fields);
    if (data.length < OTHER_RECORDS) continue;
    yield { data, errors };
    data = [];
    errors = [];
  }
  yield { data, errors };
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
function addRecord(record: readonly string[], { width }: CsvTask, readers: readonly Reader[]): string | null {
  if (record.length !== width) return `expected ${width} fields but found ${record.length}`;
  for (const { index: column, name, type, builder, nulls, longest } of readers) {
    let field = record[column]!;
    if (column === width - 1 && field.endsWith("\r")) field = field.slice(0, -1);
    if (field.length <= longest && nulls.has(field)) builder.addNull();
    else if (!builder.add(field)) return misfit(name, type, field);
  }
  return null;
}

/** Finds the line of a record, by parsing the records before it again. */
function locate(text: string, task: CsvTask, { record, message }: Misfit): { line: number; message: string } {
  const newline = String.fromCharCode(task.newline);
  let left = record;
  let start = 0;
  for (const found of recordsIn(text, task)) {
    start = found.start;
    if (left-- === 0) break;
  }
  let line = 0;
  for (let at = text.indexOf(newline); at >= 0 && at < start; at = text.indexOf(newline, at + 1)) line++;
  return { line, message };
}
