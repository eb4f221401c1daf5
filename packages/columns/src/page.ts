/**
 * Typed columns from tables in a web page. Its only Node modules are zlib, buffer and os, which a bundler replaces, and
 * piscina, which it may leave out: one thread decodes.
 */
import type { FormatOptions } from "./formats/index.ts";
import { memorySource } from "./source/bytes.ts";
import { urlInPage } from "./source/in-page.ts";
import { asDamage, type Table } from "./table/index.ts";
import { formatOf, tableIn } from "./table-in.ts";

export { textReader } from "./formats/index.ts";
export type { Batch, Chunk, ColumnInfo, Table, ValueArray } from "./table/index.ts";

/** Options of `openTableInPage`. */
export interface OpenTableInPageOptions extends FormatOptions {
  /** Name of the format. Default: the one of the first bytes, else the one of the name's ending. */
  readonly format?: string | undefined;
}

/**
 * Opens a table in a Blob, such as a file that the reader of the page chose, or at a URL. It reads only the bytes that it
 * needs. The calling thread decodes.
 * @param name the name of the file, whose ending shows the format if the first bytes do not
 * @throws the errors of `openTable`.
 */
export async function openTableInPage(
  place: Blob | URL,
  name: string,
  { format, ...options }: OpenTableInPageOptions = {},
): Promise<Table> {
  const source = place instanceof URL ? await urlInPage(place, name) : memorySource(place, name);
  try {
    return await tableIn(source, formatOf(format), { ...options, threads: 0 });
  } catch (error) {
    throw asDamage(name, error);
  }
}
