import { packedColumns, placeOf, readerOf, type TextColumn, type TextReader } from "./text.ts";

/** Columns to read from lines with an object of JSON each. */
export interface JsonlRequest {
  /**
   * All fields, with keys without lone surrogates. The parent is the index of the field whose object has it, which comes
   * before it, or -1 for one of the lines themselves.
   */
  readonly fields: readonly { readonly key: string; readonly parent: number }[];
  /** Each with its place among the fields. Its field has no fields. */
  readonly columns: readonly TextColumn[];
  /** Threads that read pieces at the same time. 0: the calling thread reads. */
  readonly threads: number;
}

/**
 * Returns the compiled reader of JSON lines, or null if there is no addon for this platform. It does not read lines that
 * are no object, with other keys or a key twice, or with a value that does not have the type of its column. Other keys of the
 * objects in lines are passed over.
 */
export const jsonlReader = (): TextReader<JsonlRequest> | null =>
  readerOf((addon) => ({
    read: (bytes, { threads, columns, fields }) =>
      addon.readJsonl(bytes, threads, packedColumns(columns), keysOf(fields), parentsOf(fields)),
    readPart: (place, { threads, columns, fields }) =>
      addon.readJsonlPart(placeOf(place), threads, packedColumns(columns), keysOf(fields), parentsOf(fields)),
  }));

type Fields = JsonlRequest["fields"];

const keysOf = (fields: Fields): string[] => fields.map(({ key }) => key);

/** 0 stands for the line. */
const parentsOf = (fields: Fields): Uint32Array => Uint32Array.from(fields, ({ parent }) => parent + 1);
