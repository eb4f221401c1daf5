import type { Decoded } from "../../pool/index.ts";
import { type LogicalType, quoted } from "../../table/index.ts";
import { decodeText, type Read, type TextAnswer } from "../lib/text/index.ts";
import { type Builder, builderOf, memoryOf, misfit } from "../lib/values/index.ts";
import { type Field, LINE } from "./fields.ts";
import { type JsonRow, type JsonValue, linesOf, noObject, parseLine } from "./lines.ts";

/** The bytes of a piece, and the fields of its lines. */
export interface JsonlTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly newline: number;
  /** All fields, including those that are not read. */
  readonly fields: readonly Field[];
  /** The columns to read, each with the index of its field. */
  readonly columns: readonly Read[];
  /** Whether WebAssembly is to decode it. */
  readonly isCompiled: boolean;
}

/** A field that is read, or that has fields that are. */
interface Reader {
  readonly name: string;
  readonly key: string;
  /** Whether every object inherits a property of this name. */
  readonly isInherited: boolean;
  /** Null: its fields are read. */
  column: { readonly type: LogicalType; readonly builder: Builder } | null;
  readonly inner: Reader[];
}

/** Decodes a piece of a file of JSON lines in JavaScript. */
export function decodePlain({ bytes, newline, fields, columns }: JsonlTask): Decoded<TextAnswer> {
  const text = decodeText(bytes, null, newline);
  if (typeof text !== "string") return { value: { fault: text }, transfer: [] };
  const known = new Set(fields.filter(({ parent }) => parent === LINE).map(({ key }) => key));
  const builders = columns.map(({ name, type }) => builderOf(name, type));
  const readers = readersOf(fields, columns, builders);
  let rows = 0;
  for (const { line, index } of linesOf(text, String.fromCharCode(newline))) {
    const message = addLine(line, known, readers);
    if (message !== null) return { value: { fault: { line: index, message } }, transfer: [] };
    rows++;
  }
  const chunks = builders.map((builder) => builder.finish());
  return { value: { rows, columns: chunks }, transfer: memoryOf(chunks) };
}

/** Returns the readers of the lines' own fields, in the order of the columns. */
function readersOf(
  fields: readonly Field[],
  columns: JsonlTask["columns"],
  builders: readonly Builder[],
): Reader[] {
  const made = new Map<number, Reader>();
  const top: Reader[] = [];
  const readerOf = (index: number): Reader => {
    let reader = made.get(index);
    if (reader !== undefined) return reader;
    const { name, key, parent } = fields[index]!;
    reader = { name, key, isInherited: key in Object.prototype, column: null, inner: [] };
    made.set(index, reader);
    (parent === LINE ? top : readerOf(parent).inner).push(reader);
    return reader;
  };
  for (const [i, { type, index }] of columns.entries())
    readerOf(index).column = { type, builder: builders[i]! };
  return top;
}

/** Adds the fields of a line to the columns. Returns what is wrong with it, or null. */
function addLine(line: string, known: ReadonlySet<string>, readers: readonly Reader[]): string | null {
  let row: JsonRow;
  try {
    row = parseLine(line);
  } catch {
    return noObject(line);
  }
  for (const name in row) {
    if (!known.has(name))
      return `expected the fields of the first lines but found ${quoted(name)}; pass types: { ${quoted(name)}: … }`;
  }
  return addObject(row, readers);
}

/** Adds the fields of an object. */
function addObject(row: JsonRow, readers: readonly Reader[]): string | null {
  for (const { name, key, column, inner, isInherited } of readers) {
    const value = isInherited && !Object.hasOwn(row, key) ? undefined : row[key];
    if (column === null) {
      const message = addInner(name, value, inner);
      if (message !== null) return message;
    } else if (value === undefined || value === null) column.builder.addNull();
    else if (!addValue(column.builder, column.type, value)) return misfit(name, column.type, textOf(value));
  }
  return null;
}

const NO_FIELDS: JsonRow = {};

/** Adds the fields of the object in a field. Without the object, they are nulls. */
function addInner(name: string, value: JsonValue | undefined, inner: readonly Reader[]): string | null {
  if (value === undefined || value === null) return addObject(NO_FIELDS, inner);
  if (typeof value === "object" && !Array.isArray(value)) return addObject(value as JsonRow, inner);
  return `expected an object in ${quoted(name)} but found ${quoted(textOf(value))}; pass types: { ${quoted(name)}: "string" }`;
}

/** Adds a value to a column. Returns false if it does not fit the type. */
export function addValue(builder: Builder, type: LogicalType, value: Exclude<JsonValue, null>): boolean {
  if (type.kind === "string") return builder.add(textOf(value));
  // The text "5" is no number, and true is none either.
  if (typeof value === "number" || typeof value === "bigint")
    return type.kind === "number" && builder.addNumber(value);
  if (typeof value === "boolean") return type.kind === "boolean" && builder.add(String(value));
  return (
    typeof value === "string" && (type.kind === "date" || type.kind === "timestamp") && builder.add(value)
  );
}

/** JSON.rawJSON of Node 21 and newer, which older types lack. */
const { rawJSON: raw } = JSON as unknown as { rawJSON(text: string): unknown };

/** The text of a value. Numbers past 2^53 inside nested values keep their digits. */
function textOf(value: Exclude<JsonValue, null>): string {
  if (typeof value !== "object") return String(value);
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? raw(String(inner)) : inner));
}
