import type { Table } from "./types.ts";

/** Advice for a column with different types. Each file of text shows its own, and an option states one for all. */
export function adviceFor(column: string, tables: readonly Pick<Table, "format">[]): string {
  const areTexts = tables.every(({ format }) => format === "csv" || format === "jsonl");
  return areTexts ? `; pass types: { ${JSON.stringify(column)}: "string" }, or the type that fits all` : "";
}
