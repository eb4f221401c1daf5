import type { TextColumn } from "./columns.ts";

/** A field that lines may have. */
interface Field {
  /** Without lone surrogates. */
  readonly key: string;
  /** The index of the field whose object has it, which comes before it, or -1 for a field of the lines themselves. */
  readonly parent: number;
}

/** Columns to read from lines with an object of JSON each. */
export interface JsonlRequest {
  readonly fields: readonly Field[];
  /** Each with its place among the fields. Its field has no fields. */
  readonly columns: readonly TextColumn[];
  /** Threads that read pieces at the same time. 0: the calling thread reads. */
  readonly threads: number;
}

/** Returns the keys and the parents of fields as compiled code takes them. The parent 0 is the line. */
export const packedFields = (
  fields: readonly Field[],
): [keys: string[], parents: Uint32Array<ArrayBuffer>] => [
  fields.map(({ key }) => key),
  Uint32Array.from(fields, ({ parent }) => parent + 1),
];
