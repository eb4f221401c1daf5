import { decimalOf } from "../base/index.ts";
import { type Remedy, sh } from "./remedy.ts";

/** The table that a text holds, or what to type for one that holds none. */
export type FoundText =
  | { readonly format: "csv" | "jsonl" }
  | { readonly format: null; readonly advice: Remedy };

/** Characters between the fields of a table. The readers of tables find out which one it is. */
const SEPARATORS = [",", "\t", ";", "|"];
/** Lines that are looked at. */
const LINES = 50;
/** Fewer bytes in another encoding than UTF-8 may be anything. */
const FEWEST_LATIN = 64;
const MOST_ASCII = 0.8;
/** Control characters that no text has: all but tabs, line breaks, form feeds and escapes. */
const CONTROL = new Set([...Array(32).keys(), 127].filter((code) => ![9, 10, 12, 13, 27].includes(code)));
/** A date, with or without a time. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/;
/** A label and numbered values. */
const LIBSVM = /^[-+\d.e]+(?: qid:\d+)?(?: \d+:[-+\d.e]+)+\s*(?:#.*)?$/i;
/** The advice for a text that may be anything. */
export const FORMAT: Remedy = sh("--format csv or --format jsonl, if it is a table");
const BYTE_ORDER = "\ufeff";

/** Whether bytes are text: UTF-8 or UTF-16, or another encoding with few letters beyond ASCII. Nothing is no text. */
export function isText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  if (isUtf16(head)) return true;
  if (head.some((byte) => CONTROL.has(byte))) return false;
  if (utf8Of(head) !== null) return true;
  const ascii = head.reduce((count, byte) => count + Number(byte < 128), 0);
  return head.length >= FEWEST_LATIN && ascii >= MOST_ASCII * head.length && head.includes(10);
}

/**
 * Finds the table in the first bytes of a text. CSV has the same number of fields in each line, and a column of numbers or
 * dates. Other texts are not guessed.
 * @param isWhole whether the bytes are the whole text
 */
export function tableIn(head: Uint8Array, isWhole: boolean): FoundText {
  if (isUtf16(head)) return { format: null, advice: sh("iconv -f utf-16 -t utf-8 FILE | polybin") };
  const text = (utf8Of(head) ?? new TextDecoder("latin1").decode(head)).replace(BYTE_ORDER, "");
  const all = text.split(/\r\n|\r|\n/);
  // The last line may be cut.
  if (!isWhole) all.pop();
  const lines = all.filter((line) => line.trim() !== "").slice(0, LINES);
  const [first = ""] = lines;
  if (/^\s*\[/.test(first) && isJsonStart(first)) {
    return { format: null, advice: sh("jq -c '.[]' FILE | polybin, if it is a JSON array of objects") };
  }
  if (lines.length > 0 && lines.every(isObject)) return { format: "jsonl" };
  if (lines.length > 0 && (isColumn(lines) || SEPARATORS.some((by) => isTable(lines, by))))
    return { format: "csv" };
  if (areBlankSeparated(lines))
    return { format: null, advice: sh("awk '{ $1 = $1 } 1' OFS=, FILE | polybin") };
  if (lines.length > 0 && lines.every((line) => LIBSVM.test(line)))
    return { format: null, advice: sh("polybin weighted FILE, which reads LIBSVM files") };
  return { format: null, advice: FORMAT };
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Null for bytes of another encoding. A character at the end may be cut. */
function utf8Of(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** A list of numbers in brackets, or of objects, and no line of a log that begins with a time. */
const isJsonStart = (line: string): boolean => /^\s*\[\s*(?:$|[[{"\d-].*[,\]}]\s*$|[{[])/.test(line);

function isObject(line: string): boolean {
  if (!line.trimStart().startsWith("{")) return false;
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

/** Whether the lines are numbers or dates, perhaps below a name. */
function isColumn([first, ...others]: readonly string[]): boolean {
  const below = others.length === 0 ? [first!] : others;
  return below.every(isValue) && (isValue(first!) || !SEPARATORS.some((by) => first!.includes(by)));
}

/** Whether all lines have the same number of fields, and one field of all lines but the first is a number or a date. */
function isTable(lines: readonly string[], separator: string): boolean {
  const rows = lines.map((line) => fieldsOf(line, separator));
  const [first, ...below] = rows as [string[], ...string[][]];
  if (first.length < 2 || rows.some((row) => row.length !== first.length)) return false;
  const values = below.length === 0 ? [first] : below;
  return first.some((_, i) => {
    const column = values.map((row) => row[i]!.trim()).filter((field) => field !== "");
    return column.length > 0 && column.every(isValue);
  });
}

/** The fields of a line, without the quotation marks around them. */
function fieldsOf(line: string, separator: string): string[] {
  const fields = [""];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) fields.push("");
    else fields[fields.length - 1] += character;
  }
  return fields;
}

function areBlankSeparated(lines: readonly string[]): boolean {
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return (
    rows.length > 0 &&
    rows[0]!.length > 1 &&
    rows.every((row) => row.length === rows[0]!.length && row.every(isValue))
  );
}

const isValue = (text: string): boolean => !Number.isNaN(decimalOf(text.trim())) || DATE.test(text.trim());
