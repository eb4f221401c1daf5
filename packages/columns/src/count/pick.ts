import { PolybinError } from "@polybin/core";
import { expected } from "@polybin/core/backend";
import {
  type ColumnInfo,
  damaged,
  fault,
  pickColumns,
  quoted,
  sampleTypeOf,
  type Table,
} from "../table/index.ts";

/** The columns of a call by their roles. */
export interface Picked {
  readonly counted: readonly ColumnInfo[];
  readonly by: ColumnInfo | null;
  readonly mask: ColumnInfo | null;
  readonly weights: readonly ColumnInfo[];
}

/** The names that a call gives. Undefined: none. */
export interface Named {
  readonly columns: readonly string[] | undefined;
  readonly by: string | null | undefined;
  readonly mask: string | null | undefined;
  readonly weights: readonly string[];
}

/**
 * Finds the columns of a call.
 * @param option the option that names the counted columns, and their number if it does not
 * @throws ERR_INPUT for a name that no column has, and for a column that does not fit its role; ERR_UNSUPPORTED for a
 * column that cannot be read.
 */
export function pick(
  table: Table,
  named: Named,
  option: { readonly name: string; readonly count: number },
): Picked {
  const one = (name: unknown, role: string): ColumnInfo => {
    if (typeof name !== "string") throw expected("ERR_INPUT", role, "the name of a column", name);
    return pickColumns(table, [name])[0]!;
  };
  const by = named.by == null ? null : groups(table, one(named.by, "by"));
  const mask = named.mask == null ? null : flags(table, one(named.mask, "mask"));
  const weights = named.weights.map((name) => numbers(table, one(name, "weights"), "weights"));
  const others = [by, mask, ...weights].flatMap((column) => column?.name ?? []);
  const names = named.columns ?? onlyColumns(table, others, option);
  return { counted: names.map((name) => bins(table, one(name, option.name))), by, mask, weights };
}

/** Columns that a message lists at most. */
const LISTED = 12;

/** Returns the only columns of numbers that have no other role. @throws ERR_INPUT unless there are as many as wanted */
function onlyColumns(
  { name, columns }: Table,
  others: readonly string[],
  { name: option, count }: { readonly name: string; readonly count: number },
): string[] {
  const found = columns.filter(
    (column) => sampleTypeOf(column.type) !== null && !others.includes(column.name),
  );
  if (found.length === count) return found.map((column) => column.name);
  const listed = found.slice(0, LISTED).map((column) => quoted(column.name));
  const more = found.length > LISTED ? ` and ${found.length - LISTED} more` : "";
  if (found.length < count) {
    const wanted = count === 1 ? "a column of numbers" : `${count} columns of numbers`;
    throw damaged(name, `expected ${wanted} but it has ${listed.length === 0 ? "none" : `only ${listed}`}`);
  }
  throw damaged(
    name,
    count === 1
      ? `expected ${option}, the name of the column to count: one of ${listed.join(", ")}${more}`
      : `expected ${option}, the names of the columns to count together, from ${listed.join(", ")}${more}`,
  );
}

/** @throws ERR_INPUT unless the column has bins */
function bins(table: Table, column: ColumnInfo): ColumnInfo {
  if (sampleTypeOf(column.type) !== null) return column;
  throw damaged(
    table.name,
    `expected a column of numbers but ${quoted(column.name)} has text; profile lists its values, and by: ` +
      `${quoted(column.name)} counts another column for each of them`,
  );
}

/** @throws ERR_INPUT unless the column has numbers or booleans */
function numbers(table: Table, column: ColumnInfo, role: string): ColumnInfo {
  const { kind } = column.type;
  if (kind === "number" || kind === "boolean") return column;
  throw damaged(
    table.name,
    `expected a column of numbers for ${role} but ${quoted(column.name)} has ${kind}s`,
  );
}

/** @throws ERR_INPUT unless the column has integers or booleans */
function flags(table: Table, column: ColumnInfo): ColumnInfo {
  const { type } = numbers(table, column, "mask");
  if (type.kind === "boolean" || (type.kind === "number" && !type.type.startsWith("f"))) return column;
  throw damaged(
    table.name,
    `expected a column of booleans or integers for mask but ${quoted(column.name)} has floats`,
  );
}

/** @throws ERR_UNSUPPORTED for floats, which make no groups */
function groups(table: Table, column: ColumnInfo): ColumnInfo {
  if (column.type.kind !== "number" || !column.type.type.startsWith("f")) return column;
  throw fault(
    table.name,
    "ERR_UNSUPPORTED",
    `expected a column of strings, integers, booleans or times for by but ${quoted(column.name)} has floats; ` +
      "joint counts two columns of numbers together",
  );
}

/** @throws ERR_INPUT unless all columns of a joint histogram are different */
export function checkDifferent({ counted }: Picked): void {
  if (new Set(counted.map(({ name }) => name)).size === counted.length) return;
  throw new PolybinError("ERR_INPUT", "expected every column once in columns but received one twice");
}
