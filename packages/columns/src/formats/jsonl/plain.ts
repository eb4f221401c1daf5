import type { Decoded } from "../../pool/index.ts";
import { type LogicalType, quoted } from "../../table/index.ts";
import { decodeText, type Read, type TextAnswer } from "../lib/text/index.ts";
import { type Builder, builderOf, memoryOf, misfit } from "../lib/values/index.ts";
import { type JsonRow, type JsonValue, linesOf, noObject, parseLine } from "./lines.ts";

/** The bytes of a piece, and the fields of its lines. */
export interface JsonlTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly newline: number;
  /** Names of all fields, including those that are not read. */
  readonly names: readonly string[];
  readonly columns: readonly Read[];
  /** Whether WebAssembly is to decode it. */
  readonly isCompiled: boolean;
}

interface Reader {
  readonly name: string;
  readonly type: LogicalType;
  readonly builder: Builder;
  /** Whether every object inherits a property of this name. */
  readonly isInherited: boolean;
}

/** Decodes a piece of a file of JSON lines in JavaScript. */
export function decodePlain({ bytes, newline, names, columns }: JsonlTask): Decoded<TextAnswer> {
  const text = decodeText(bytes, null, newline);
  if (typeof text !== "string") return { value: { fault: text }, transfer: [] };
  const known = new Set(names);
  const readers: Reader[] = columns.map(({ name, type }) => ({
    ...{ name, type, builder: builderOf(name, type) },
    isInherited: name in Object.prototype,
  }));
  let rows = 0;
  for (const { line, index } of linesOf(text, String.fromCharCode(newline))) {
    const message = addLine(line, known, readers);
    if (message !== null) return { value: { fault: { line: index, message } }, transfer: [] };
    rows++;
  }
  const chunks = readers.map(({ builder }) => builder.finish());
  return { value: { rows, columns: chunks }, transfer: memoryOf(chunks) };
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
  for (const { name, type, builder, isInherited } of readers) {
    const value = isInherited && !Object.hasOwn(row, name) ? undefined : row[name];
    if (value === undefined || value === null) builder.addNull();
    else if (!addValue(builder, type, value)) return misfit(name, type, textOf(value));
  }
  return null;
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
