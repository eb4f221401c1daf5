import type { Table } from "./types.ts";

/** Whether a table can be read more than once. */
export function canReread({ parts, rereadable }: Pick<Table, "parts" | "rereadable">): boolean {
  return rereadable ?? parts !== null;
}
