import { PolybinError } from "@polybin/core";
import { expected } from "@polybin/core/backend";
import { adviceFor, type ColumnInfo, type LogicalType, sampleTypeOf, type Table } from "../../table/index.ts";
import { typeText } from "../text.ts";
import { isOverable } from "./over-axis.ts";
import type { ProfileRequest } from "./plans.ts";

/**
 * Returns the columns of a profile: those of all tables in the order in which they appear, or the named ones.
 * @throws ERR_INPUT if a named column does not exist, or if tables have one of these columns with different types.
 */
export function columnsOf(
  tables: readonly Table[],
  names: readonly string[] | undefined,
  request: NumbersRequest,
): ColumnInfo[] {
  const found = new Map<string, { readonly column: ColumnInfo; readonly table: Table }>();
  const wanted = names === undefined ? null : new Set(names);
  for (const table of tables) {
    for (const column of table.columns) {
      const before = found.get(column.name);
      if (before === undefined) found.set(column.name, { column, table });
      else if (wanted !== null && !wanted.has(column.name)) continue;
      else if (typeKey(before.column.type) !== typeKey(column.type)) {
        throw new PolybinError(
          "ERR_INPUT",
          `expected one type for column ${JSON.stringify(column.name)} but found ${typeText(before.column.type)} in ${before.table.name} ` +
            `and ${typeText(column.type)} in ${table.name}${adviceFor(column.name, [before.table, table])}`,
        );
      }
    }
  }
  const columnNamed = (name: string): ColumnInfo => {
    const entry = found.get(name);
    if (entry === undefined) throw unknown(name, [...found.keys()]);
    return entry.column;
  };
  const columns =
    names === undefined ? [...found.values()].map(({ column }) => column) : names.map(columnNamed);
  if (new Set(columns).size < columns.length) {
    throw new PolybinError("ERR_INPUT", "expected every column once in columns but received one twice");
  }
  checkNumbers(columns, request);
  return columns;
}

/** The parts of a request that name columns of numbers. */
type NumbersRequest = Pick<ProfileRequest, "ranges" | "joint" | "over">;

/** @throws ERR_INPUT, ERR_UNSUPPORTED unless all columns with a range, those of pairs, and that of `over` have numbers. */
export function checkNumbers(columns: readonly ColumnInfo[], { ranges, joint, over }: NumbersRequest): void {
  for (const name of [...Object.keys(ranges), ...joint.flat(), ...(over === undefined ? [] : [over])]) {
    const column = columns.find((one) => one.name === name);
    if (column === undefined)
      throw unknown(
        name,
        columns.map((one) => one.name),
      );
    if (column.type.kind === "refused") {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `column ${JSON.stringify(name)} has no ranges, pairs and bins, because it cannot be read: ${column.type.reason}`,
      );
    }
    if (name === over && !isOverable(column.type)) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a column of times or numbers for over but received ${JSON.stringify(name)} of type ${typeText(column.type)}`,
      );
    }
    if (sampleTypeOf(column.type) === null) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a column of numbers for ranges and joint but received ${JSON.stringify(name)} of type ${typeText(column.type)}`,
      );
    }
  }
}

/** Types with equal keys are the same. */
export function typeKey(type: LogicalType): string {
  return type.kind === "refused" ? "refused" : JSON.stringify(type, Object.keys(type).sort());
}

/** Names that a message lists at most. */
const LISTED = 12;

function unknown(name: string, known: readonly string[]): PolybinError {
  if (known.length === 0)
    return expected("ERR_INPUT", "a column", "no name, since there are no columns,", name);
  const listed = known.slice(0, LISTED).map((one) => JSON.stringify(one));
  const more = known.length > LISTED ? ` and ${known.length - LISTED} more` : "";
  return expected("ERR_INPUT", "a column", `one of ${listed.join(", ")}${more}`, name);
}
