import { isPolybinError } from "@polybin/core";
import { type ColumnInfo, canReread, type Table } from "../../table/index.ts";

/**
 * Runs work on columns, and once more without those that a reader turns out not to support, as some values show it only
 * when they are read. The type of such a column becomes "refused", with the reader's reason.
 * @throws the error of the work if no column is its cause, or if a table cannot be read again.
 */
export async function onReadable<T>(
  tables: readonly Table[],
  columns: readonly ColumnInfo[],
  signal: AbortSignal | undefined,
  work: (columns: readonly ColumnInfo[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(columns);
  } catch (error) {
    if (!isUnsupported(error) || !tables.every(canReread)) throw error;
    const checked: ColumnInfo[] = [];
    for (const column of columns) checked.push(await checkedColumn(tables, column, signal));
    if (checked.every((column, i) => column === columns[i])) throw error;
    return work(checked);
  }
}

/** Reads a column on its own. Returns it as it is, or as a refused one. */
async function checkedColumn(
  tables: readonly Table[],
  column: ColumnInfo,
  signal: AbortSignal | undefined,
): Promise<ColumnInfo> {
  if (column.type.kind === "refused") return column;
  for (const table of tables) {
    if (!table.columns.some(({ name }) => name === column.name)) continue;
    try {
      for await (const _ of table.read({ columns: [column.name], signal }));
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      const reason = error.message.replace(`${table.name}: `, "");
      return { ...column, type: { kind: "refused", reason } };
    }
  }
  return column;
}

const isUnsupported = (error: unknown): error is Error =>
  isPolybinError(error) && error.code === "ERR_UNSUPPORTED";
