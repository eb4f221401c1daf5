import { isPolybinError } from "@polybin/core";
import type { ByteSource } from "../../source/index.ts";
import { type ColumnInfo, checkColumnCount, damaged, type LogicalType, quoted } from "../../table/index.ts";
import { LINES, sampleOf } from "../lib/text/index.ts";
import type { Types } from "../lib/values/index.ts";
import { type Field, LINE } from "./fields.ts";
import { JsonGuess } from "./guess.ts";
import { linesOf, noObject, parseLine } from "./lines.ts";

/** The fields that the first lines of a file show. */
export interface Schema {
  readonly columns: readonly ColumnInfo[];
  readonly fields: readonly Field[];
  readonly newline: number;
  readonly start: number;
}

/**
 * Finds names and types of fields in the first lines, in the order in which they appear.
 * @throws ERR_INPUT if a line is no JSON object, ERR_LIMIT for too many fields.
 */
export async function schemaOf(
  source: ByteSource,
  types: Types,
  signal: AbortSignal | undefined,
): Promise<Schema> {
  const { text, markBytes, newline } = await sampleOf(source, { marks: LINES, encoding: null }, signal);
  const line = new JsonGuess(0);
  for (const { line: own, index } of linesOf(text, String.fromCharCode(newline))) {
    try {
      const row = parseLine(own);
      checkColumnCount(source.name, Object.keys(row).length);
      line.see(row);
    } catch (error) {
      if (isPolybinError(error)) throw error;
      throw damaged(source.name, `line ${index + 1}: ${noObject(own)}`, error);
    }
    checkColumnCount(source.name, line.fields.size);
  }
  addStated(source.name, line, types);
  const found = guessedIn(line, types);
  checkColumnCount(source.name, found.length);
  const fields = found.map(({ field }) => field);
  return { columns: columnsOf(found, types), fields, newline, start: markBytes };
}

interface Guessed {
  readonly field: Field;
  readonly guess: JsonGuess;
}

/** Returns the fields of lines, each before those of its objects. A field whose type is stated has none: it is read as JSON. */
function guessedIn(line: JsonGuess, types: Types): Guessed[] {
  const found: Guessed[] = [];
  const add = ({ fields }: JsonGuess, parent: number): void => {
    for (const [key, guess] of fields) {
      const name = parent === LINE ? key : `${found[parent]!.field.name}.${key}`;
      const index = found.push({ field: { key, parent, name }, guess }) - 1;
      if (guess.isStructure && !types.has(name)) add(guess, index);
    }
  };
  add(line, LINE);
  return found;
}

/**
 * Adds the fields whose types are stated, and which the first lines do not have. A name is that of a field in an object if
 * the first lines have the object, and else a key of the line.
 */
function addStated(source: string, line: JsonGuess, types: Types): void {
  const known = new Map(guessedIn(line, types).map(({ field, guess }) => [field.name, guess]));
  for (const name of types.keys()) {
    if (known.has(name)) continue;
    let [around, keys] = [line, [name]];
    for (let at = name.lastIndexOf("."); at > 0; at = name.lastIndexOf(".", at - 1)) {
      const before = name.slice(0, at);
      const inner = known.get(before);
      if (inner === undefined || (!inner.hasObjects && !inner.mayBeStructure)) continue;
      if (types.has(before) || !inner.mayBeStructure)
        throw damaged(
          source,
          `expected no type of ${quoted(name)}, since the fields of ${quoted(before)} are no columns`,
        );
      [around, keys] = [inner, name.slice(at + 1).split(".")];
      break;
    }
    for (const key of keys) around = around.field(key);
  }
}

/** Returns the columns of fields. Fields of one name are one column, which is refused. */
function columnsOf(found: readonly Guessed[], types: Types): ColumnInfo[] {
  const columns = new Map<string, ColumnInfo>();
  const parents = new Map<string, string>();
  for (const { field, guess } of found) {
    const { name } = field;
    const own = field.parent === LINE ? "" : found[field.parent]!.field.name;
    const other = parents.get(name);
    // The point of the other name is in its key.
    const around = other !== undefined && other.length > own.length ? other : own;
    parents.set(name, around);
    const type = other === undefined ? guess.type(types.get(name)) : ambiguous(around);
    columns.set(name, { name, type, nullable: true });
  }
  return [...columns.values()];
}

const ambiguous = (around: string): LogicalType => ({
  kind: "refused",
  reason: `a field of ${quoted(around)} and a key with a point have this name; pass the type of ${quoted(around)} as "string" to read the other`,
});
