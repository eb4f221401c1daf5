import { type Batch, type OpenTableOptions, openTable, type Table } from "../src/index.ts";

export type Cell = number | bigint | string | null;

/** The cells of a batch's column, with null for nulls. */
function cellsOf({ columns, rows }: Batch, index: number): Cell[] {
  const chunk = columns[index]!;
  return Array.from({ length: rows }, (_, i) => {
    if (chunk.validity !== null && (chunk.validity.bits[i >> 3]! & (1 << (i & 7))) === 0) return null;
    if ("values" in chunk) return chunk.values[i]!;
    return "codes" in chunk ? chunk.dictionary[chunk.codes[i]!]! : chunk.strings[i]!;
  });
}

/** All cells of a table by column. It also checks what every batch promises. */
export async function cells(
  table: Table,
  options: Parameters<Table["read"]>[0] = {},
): Promise<Record<string, Cell[]>> {
  const found = new Map<string, Cell[]>();
  for await (const batch of table.read(options)) {
    batch.columns.forEach((chunk, i) => {
      const own = cellsOf(batch, i);
      const nulls = own.filter((cell) => cell === null).length;
      if (chunk.rows !== batch.rows || chunk.nulls !== nulls || (chunk.validity === null) !== (nulls === 0)) {
        throw new Error(
          `the chunk of ${chunk.name} states ${chunk.rows} rows and ${chunk.nulls} nulls but has ${nulls}`,
        );
      }
      const all = found.get(chunk.name) ?? [];
      for (const cell of own) all.push(cell);
      found.set(chunk.name, all);
    });
  }
  return Object.fromEntries(found);
}

/** Opens a text as a table and reads it whole. */
export async function read(
  text: string | Uint8Array,
  options: OpenTableOptions,
): Promise<Record<string, Cell[]>> {
  await using table = await openTable(typeof text === "string" ? Buffer.from(text) : text, options);
  return await cells(table);
}

/** Opens a text and reads it whole. Returns the error's code and message. */
export async function failure(text: string | Uint8Array, options: OpenTableOptions): Promise<string> {
  try {
    await read(text, options);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code} ${message}`;
  }
  return "no error";
}
