import { checkNames, expected, suggestion } from "@polybin/core/backend";
import { damaged, fault } from "./error.ts";
import { MAX_COLUMNS } from "./limits.ts";
import type { ColumnInfo, ReadOptions, Table } from "./types.ts";

/**
 * Checks the columns of a table that a file states.
 * @throws ERR_LIMIT above MAX_COLUMNS columns, ERR_INPUT if two columns have one name.
 */
export function checkColumns(name: string, columns: readonly { readonly name: string }[]): void {
  checkColumnCount(name, columns.length);
  const seen = new Set<string>();
  for (const column of columns) {
    if (seen.has(column.name))
      throw damaged(name, `expected different names of columns but found ${quoted(column.name)} twice`);
    seen.add(column.name);
  }
}

/** @throws ERR_LIMIT above MAX_COLUMNS columns. */
export function checkColumnCount(name: string, count: number): void {
  if (count <= MAX_COLUMNS) return;
  throw fault(name, "ERR_LIMIT", `expected at most ${MAX_COLUMNS} columns but found ${count}`);
}

/** Appends " 2", " 3" … to names that are taken, so that all are different. An empty name becomes "column N". */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((given, i) => {
    let name = given === "" ? `column ${i + 1}` : given;
    for (let n = 2; seen.has(name) || (name !== given && taken.has(name)); n++)
      name = `${given || "column"} ${n}`;
    seen.add(name);
    return name;
  });
}

/** Gives columns with the name of another one a name of their own. */
export function withUniqueNames<C extends { readonly name: string }>(columns: readonly C[]): C[] {
  const names = columns.map(({ name }) => name);
  if (new Set(names).size === names.length) return [...columns];
  const unique = uniqueNames(names);
  return columns.map((column, i) => ({ ...column, name: unique[i]! }));
}

/** A column that is read, and its index in the table. */
export interface PickedColumn extends ColumnInfo {
  readonly index: number;
}

/**
 * Returns the columns that a read asks for. Default: all that are not refused.
 * @throws ERR_INPUT for an unknown or repeated name, ERR_UNSUPPORTED for a refused column.
 */
export function pickColumns(
  table: Pick<Table, "name" | "columns">,
  wanted: ReadOptions["columns"],
): PickedColumn[] {
  const all = table.columns.map((column, index) => ({ ...column, index }));
  if (wanted === undefined) return all.filter(({ type }) => type.kind !== "refused");
  if (!Array.isArray(wanted)) throw expected("ERR_INPUT", "columns", "an array of names", wanted);
  const byName = new Map(all.map((column) => [column.name, column]));
  const picked = wanted.map((name: unknown) => {
    const column = byName.get(name as string);
    if (column === undefined) throw unknownColumn(table, name);
    if (column.type.kind === "refused") {
      throw fault(
        table.name,
        "ERR_UNSUPPORTED",
        `column ${quoted(column.name)} cannot be read: ${column.type.reason}`,
      );
    }
    return column;
  });
  if (new Set(picked).size < picked.length)
    throw damaged(table.name, "expected every column once in columns but received one twice");
  return picked;
}

/** Checks the names of the options of `Table.read`. @throws ERR_INPUT */
export function checkReadOptions(options: ReadOptions): void {
  const names: readonly (keyof ReadOptions)[] = ["columns", "parts", "signal", "onProgress"];
  checkNames(options, names);
}

/** The most names of columns that a message lists. */
const LISTED = 12;

/** An ERR_INPUT about a name that no column of a table has. */
export function unknownColumn(
  { name, columns }: { readonly name: string; readonly columns: readonly { readonly name: string }[] },
  wanted: unknown,
): Error {
  if (columns.length === 0)
    return damaged(name, `expected a column ${quoted(String(wanted))} but it has no columns`);
  const helps = suggestion(
    wanted,
    columns.map((column) => column.name),
  );
  const listed = columns.slice(0, LISTED).map((column) => quoted(column.name));
  const more = columns.length > LISTED ? ` and ${columns.length - LISTED} more` : "";
  return expected(
    "ERR_INPUT",
    "a column",
    `one of ${listed.join(", ")}${more} (columns of ${name})`,
    wanted,
    { helps },
  );
}

/**
 * Returns the indices of the parts that a read asks for. Default: all.
 * @throws ERR_INPUT unless they exist and ascend.
 */
export function pickParts(
  table: Pick<Table, "name" | "parts">,
  wanted: ReadOptions["parts"],
): number[] | null {
  if (wanted === undefined) return table.parts?.map(({ index }) => index) ?? null;
  const { parts } = table;
  if (parts === null)
    throw damaged(table.name, "expected no parts: the table can only be read from start to end");
  if (!Array.isArray(wanted)) throw expected("ERR_INPUT", "parts", "an array of indices", wanted);
  wanted.forEach((part: unknown, i: number) => {
    const isIndex = Number.isInteger(part) && (part as number) >= 0 && (part as number) < parts.length;
    if (!isIndex || (i > 0 && (part as number) <= wanted[i - 1])) {
      throw expected("ERR_INPUT", "parts", `ascending indices below ${parts.length}`, part);
    }
  });
  return [...wanted];
}

/** Quotes a name for a message, and shortens it. */
export function quoted(name: string): string {
  const most = 60;
  return JSON.stringify(name.length > most ? `${name.slice(0, most)}…` : name);
}
