import { packedColumns, placeOf, readerOf, type TextColumn, type TextReader } from "./text.ts";

/** Columns to read from lines with an object of JSON each. */
export interface JsonlRequest {
  /** The names of all fields, without lone surrogates. */
  readonly names: readonly string[];
  /** Each with its place among the names. */
  readonly columns: readonly TextColumn[];
  /** Threads that read pieces at the same time. 0: the calling thread reads. */
  readonly threads: number;
}

/**
 * Returns the compiled reader of JSON lines, or null if there is no addon for this platform. It does not read lines that
 * are no object, with other names or a name twice, or with a value that does not have the type of its column.
 */
export const jsonlReader = (): TextReader<JsonlRequest> | null =>
  readerOf((addon) => ({
    read: (bytes, { threads, columns, names }) =>
      addon.readJsonl(bytes, threads, packedColumns(columns), names),
    readPart: (place, { threads, columns, names }) =>
      addon.readJsonlPart(placeOf(place), threads, packedColumns(columns), names),
  }));
